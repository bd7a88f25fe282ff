import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { messageRequest, requestHeaders } from "./traffic.ts";

/** What wrk saw. Latencies in microseconds. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /** Connections that failed, timed out or broke off. */
  readonly broken: number;
  /** Answers with a status of 400 or more. */
  readonly refused: number;
}

const run = promisify(execFile);
const script = fileURLToPath(new URL("load.lua", import.meta.url));

/** POSTs the message as fast as it is answered, for this many seconds, on one core. */
export function load(
  url: string,
  seconds: number,
  connections: number,
  core: number,
): Promise<Load> {
  return post({ url, headers: requestHeaders, body: messageRequest }, seconds, connections, core);
}

/** One POST, as often as it is answered. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** As {@link load}, of any request. */
export async function post(
  { url, headers, body }: Post,
  seconds: number,
  connections: number,
  core: number,
): Promise<Load> {
  const fields = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const { stdout } = await run(
    "taskset",
    ["-c", String(core), "wrk", "-t", "1", "-c", String(connections), "-d", `${seconds}s`]
      .concat(["--timeout", "10s", "--latency", "-s", script])
      .concat(fields, url),
    { env: { PATH: process.env["PATH"], BENCH_METHOD: "POST", BENCH_BODY: body } },
  );
  return readSummary(stdout);
}

function readSummary(output: string): Load {
  const line = output.split("\n").find((candidate) => candidate.startsWith("{")) ?? "{}";
  const value: unknown = JSON.parse(line);
  const figures = new Map<string, unknown>(
    typeof value === "object" && value !== null ? Object.entries(value) : [],
  );
  const figure = (name: string): number => {
    const found = figures.get(name);
    if (typeof found === "number") return found;
    throw new Error(`wrk's summary lacks ${name}:\n${output}`);
  };
  return {
    requests: figure("requests"),
    seconds: figure("microseconds") / 1e6,
    bytes: figure("bytes"),
    p50: figure("p50"),
    p90: figure("p90"),
    p99: figure("p99"),
    broken: figure("broken"),
    refused: figure("refused"),
  };
}
