import type { Terminal } from "../../src/cli/command/command.ts";
import { run } from "../../src/cli/run.ts";
import type { Ended } from "../runtime/processes/processes.ts";

/** The output of one command line. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command line in this process, with its own environment and standard input. */
export async function afterword(
  argv: readonly string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Said> {
  let out = "";
  let error = "";
  const terminal: Terminal = {
    out: (text) => void (out += text),
    error: (text) => void (error += text),
    readInput: async () => new TextEncoder().encode(input),
    env,
    interactive: false,
    columns: 80,
  };
  const code = await run(argv, terminal);
  return { code, out, error };
}

/** The same result in the form of a process's, for tests that start processes too. */
export async function endedHere(
  argv: readonly string[],
  env: Record<string, string>,
): Promise<Ended> {
  const { code, out, error } = await afterword(argv, { env });
  return { code, stdout: out, stderr: error };
}
