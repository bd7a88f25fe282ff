import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node } from "./launch.ts";
import { cpuSeconds, memoryOf } from "./proc.ts";

/** A program of the `afterword` command, in a separate process. */
export interface Running {
  readonly url: string;
  /** CPU time used so far, by all of its threads, in seconds. */
  cpu(): number;
  /** Bytes of resident memory now. */
  rss(): number;
  /** The most resident memory so far. */
  peak(): number;
  /** Ends it, and resolves when it has exited. SIGTERM waits for five seconds at most. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export interface RunningOptions {
  /** The core that it may use; default: all. */
  readonly core?: number;
  /** The command's main module; default: the source in this checkout. */
  readonly main?: string;
  /** Arguments for Node itself. */
  readonly nodeOptions?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const source = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));

/**
 * Starts `afterword` with these arguments and waits until it listens. Its environment does not
 * depend on that of the bench.
 *
 * @throws Error when it ends before
 */
export async function startAfterword(
  argv: readonly string[],
  { core, main = source, nodeOptions = [], env = {} }: RunningOptions = {},
): Promise<Running> {
  const pinned = core === undefined ? [] : ["taskset", "-c", String(core)];
  const [program = node, ...rest] = [...pinned, node, ...nodeOptions, main, ...argv];
  const child = spawn(program, rest, {
    env: { PATH: process.env["PATH"], AFTERWORD_LOG: "error", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /listens on (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`${argv[0]} ended before it listened`)));
  });
  // taskset becomes the program that it runs.
  const pid = child.pid ?? 0;
  return {
    url,
    cpu: () => cpuSeconds(pid),
    rss: () => memoryOf(pid),
    peak: () => memoryOf(pid, "VmHWM"),
    async end(signal) {
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(late);
    },
  };
}
