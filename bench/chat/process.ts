import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node } from "../launch.ts";

/** A backend in a process of its own. */
export interface ChatBackend {
  readonly url: string;
  readonly port: number;
  /** CPU time used so far, in seconds; NaN where the system does not tell. */
  cpu(): number;
  /** Ends it, and resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const content = fileURLToPath(new URL("../../config/backend", import.meta.url));

/**
 * @param database a file or a PostgreSQL address
 * @param port 0 for any
 * @param profile directory for a CPU profile; default none
 */
export async function startChatBackend(
  database: string,
  port = 0,
  profile: string | null = null,
): Promise<ChatBackend> {
  const flags = profile === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const where = ["--database", database, "--port", String(port)];
  const child = spawn(node, [...flags, main, "backend", "--content", content, ...where], {
    env: { PATH: process.env["PATH"], AFTERWORD_LOG: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /backend listens on (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error("the backend ended before it listened")));
  });
  return {
    url,
    port: Number(new URL(url).port),
    cpu: () => cpuOf(child.pid ?? 0),
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/** Of all its threads (proc(5): fields 14 and 15, in hundredths of a second). */
function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}
