import { buffer } from "node:stream/consumers";
import type { Terminal } from "./command.ts";

/** The process's own terminal. */
export function systemTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    readInput: () => buffer(process.stdin),
    env: process.env,
    interactive: process.stdout.isTTY,
    columns: process.stdout.columns ?? 80,
  };
}
