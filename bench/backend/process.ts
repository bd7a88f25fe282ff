import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node } from "../launch.ts";

/** A backend in a process of its own. */
export interface BackendProcess {
  readonly url: string;
  readonly pid: number;
  /** CPU time used so far, by all of its threads, in seconds. */
  cpu(): number;
  /** Memory that it holds now, in bytes. */
  rss(): number;
  /** Ends it, and resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
/** The contents of the demo shop. */
export const demoContent: string = fileURLToPath(new URL("../../config/backend", import.meta.url));

/** @param core the one it may use; default all */
export async function startBackend(
  database: string,
  core?: number,
  content: string = demoContent,
): Promise<BackendProcess> {
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
    cpu: () => cpuSeconds(child.pid ?? 0),
    rss: () => rssBytes(child.pid ?? 0),
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

const ticksPerSecond = 100;

/** User and system time (proc(5), fields 14 and 15 of stat). */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function rssBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
