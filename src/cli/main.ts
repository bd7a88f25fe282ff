#!/usr/bin/env node
import { keepCompiled } from "./keep-compiled.ts";
import { run } from "./run.ts";
import { systemTerminal } from "./system-terminal.ts";

// Before the first command is loaded.
keepCompiled(import.meta.url);
process.exitCode = await run(process.argv.slice(2), systemTerminal());
