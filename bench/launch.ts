import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cpuSeconds, memoryOf } from "./proc.ts";

/** The Node of this checkout, regardless of the one that runs the bench. */
export const node: string = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));

export interface Launched {
  readonly port: number;
  /** CPU time used so far, in seconds. */
  cpu(): number;
  /** Resident memory, in MB. */
  rss(): number;
  stop(): Promise<void>;
}

/** Milliseconds in which a program must say that it listens. */
const patience = 15_000;

/**
 * Starts a program of bench/ on one core and waits until it listens.
 *
 * @param program path under bench/
 * @throws Error with what it wrote on standard error
 */
export async function launch(
  program: string,
  core: number,
  env: Readonly<Record<string, string>>,
): Promise<Launched> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const command = [node, ...nodeOptions(env), file];
  const child = spawn("taskset", ["-c", String(core), ...command], {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  const lines = createInterface(child.stdout);
  // Node's own tracing options write to standard output too.
  const ready = new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      if (line.startsWith("{")) resolve(line);
    });
  });
  const first = await Promise.race([ready, ended, after(patience)]);
  if (typeof first !== "string") {
    child.kill("SIGKILL");
    throw new Error(`${program} did not start: ${said.trim() || "it says nothing"}`);
  }
  const { port, pid } = announcementOf(first);
  return {
    port,
    cpu: () => cpuSeconds(pid),
    rss: () => memoryOf(pid) / 1_048_576,
    async stop() {
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), 3000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** For profiling: BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=…" goes to the contestants. */
function nodeOptions(env: Readonly<Record<string, string>>): string[] {
  return (env["BENCH_NODE_OPTIONS"] ?? "").split(" ").filter((option) => option !== "");
}

function announcementOf(line: string): { port: number; pid: number } {
  const value: unknown = JSON.parse(line);
  if (typeof value === "object" && value !== null && "port" in value && "pid" in value) {
    return { port: Number(value.port), pid: Number(value.pid) };
  }
  throw new Error(`unexpected first line: ${line}`);
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
