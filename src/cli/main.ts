#!/usr/bin/env node
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { buffer } from "node:stream/consumers";
import type { Terminal } from "./command/command.ts";
import { keepCompiled } from "./compile-cache.ts";
import { run } from "./run.ts";

// Before the first command is loaded.
keepCompiled(import.meta.url);
process.exitCode = await run(process.argv.slice(2), createSystemTerminal());

/** The process's own terminal. Its reader may stop before the end (`| head`); work goes on. */
function createSystemTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  return {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    readInput: () => buffer(process.stdin),
    ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
    env: process.env,
    interactive: process.stdout.isTTY,
    errorInteractive: process.stderr.isTTY,
    columns: process.stdout.columns ?? 80,
  };
}

function ignoreClosedPipe(error: Error): void {
  if (!("code" in error && error.code === "EPIPE")) throw error;
}

/** Asks for one line; empty when the input ends or is interrupted. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = once(lines, "close").then(() => "");
    return await Promise.race([lines.question(question).catch(() => ""), ended]);
  } finally {
    lines.close();
  }
}
