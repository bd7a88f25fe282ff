import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { node } from "../launch.ts";
import type { Seen, Sending } from "./clients.ts";

const program = fileURLToPath(new URL("clients.ts", import.meta.url));

/** Sends requests from a separate process, on one core. Throws when an answer is not 200. */
export async function load(sending: Sending, core: number): Promise<Seen> {
  const child = spawn("taskset", ["-c", String(core), node, program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(sending));
  const seen: Seen = JSON.parse(await text(child.stdout));
  const other = Object.keys(seen.statuses).filter((status) => status !== "200");
  if (other.length > 0) throw new Error(`refused or broken: ${JSON.stringify(seen.statuses)}`);
  return seen;
}
