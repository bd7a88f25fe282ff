import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node } from "../launch.ts";

/** A backend in a process of its own. */
export interface BackendProcess {
  readonly url: string;
  readonly pid: number;
  /** Ends it, and resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const content = fileURLToPath(new URL("../../config/backend", import.meta.url));

/** @param core the one it may use; default all */
export async function startBackend(database: string, core?: number): Promise<BackendProcess> {
  const argv = [main, "backend", "--content", content, "--database", database, "--port", "0"];
  const [program, ...rest] =
    core === undefined ? [node, ...argv] : ["taskset", "-c", String(core), node, ...argv];
  const child = spawn(program ?? node, rest, {
    env: { PATH: process.env["PATH"], AFTERWORD_LOG: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /listens on (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error("the backend ended before it listened")));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
