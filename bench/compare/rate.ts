import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { node } from "../launch.ts";

/** The waits of requests at a fixed rate, in microseconds from when each was due. */
export interface Waits {
  readonly asked: number;
  readonly answered: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly longest: number;
}

export interface Rate {
  readonly url: string;
  readonly connections: number;
  /** Requests per second. */
  readonly rate: number;
  readonly seconds: number;
  readonly core: number;
}

/** Runs bench/compare/rate-load.ts on the load's core. @throws Error with its standard error */
export async function waitsAtRate({ url, connections, rate, seconds, core }: Rate): Promise<Waits> {
  const program = fileURLToPath(new URL("rate-load.ts", import.meta.url));
  const asked = [url, connections, rate, seconds].map(String);
  const child = spawn("taskset", ["-c", String(core), node, program, ...asked], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const value: unknown = out === "" ? null : JSON.parse(out);
  if (isWaits(value)) return value;
  throw new Error(`the load at a fixed rate failed: ${said.trim().slice(-300)}`);
}

function isWaits(value: unknown): value is Waits {
  return typeof value === "object" && value !== null && "p99" in value;
}
