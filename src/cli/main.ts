#!/usr/bin/env node
import { run } from "./run.ts";
import { systemTerminal } from "./system-terminal.ts";

process.exitCode = await run(process.argv.slice(2), systemTerminal());
