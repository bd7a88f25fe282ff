import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node } from "../launch.ts";

/** `afterword serve` as users run it, on one core, with nothing but what it needs. */
export interface SoakGateway {
  readonly url: string;
  /** Resident memory now, in MB. */
  rss(): number;
  /** The most it ever had, in MB. */
  peak(): number;
  stop(): Promise<void>;
}

export interface SoakGatewayOptions {
  /** Origin of the upstream. */
  readonly upstream: string;
  /** Origin of another one, for requests with the API key `slow`. */
  readonly slowUpstream?: string;
  readonly core: number;
  /** The command line's main module; default: the source in this checkout. */
  readonly main?: string;
  /** For Node itself. */
  readonly nodeOptions?: readonly string[];
  /** A library for LD_PRELOAD. */
  readonly preload?: string;
}

/** @throws Error when it does not start */
export async function startSoakGateway(options: SoakGatewayOptions): Promise<SoakGateway> {
  const directory = await mkdtemp(join(tmpdir(), "afterword-soak-"));
  const file = join(directory, "afterword.yaml");
  await writeFile(file, configuration(options));
  const main = options.main ?? fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
  const command = [
    node,
    ...(options.nodeOptions ?? []),
    main,
    "serve",
    "--config",
    file,
    "--port",
    "0",
  ];
  const child = spawn("taskset", ["-c", String(options.core), ...command], {
    env: environment(options.preload),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const found = /listens on (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error("the gateway did not start")));
  });
  const pid = child.pid ?? 0;
  return {
    url,
    rss: () => megabytes(pid, "VmRSS"),
    peak: () => megabytes(pid, "VmHWM"),
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(late);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Nothing of whoever starts the bench, but what tunes malloc. */
function environment(preload = ""): NodeJS.ProcessEnv {
  const tuning = Object.entries(process.env).filter(([name]) => name.startsWith("MALLOC_"));
  const { PATH } = process.env;
  return {
    ...Object.fromEntries(tuning),
    ...(preload === "" ? {} : { LD_PRELOAD: preload }),
    PATH,
    AFTERWORD_LOG: "warn",
    NODE_ENV: "production",
  };
}

function configuration({ upstream, slowUpstream }: SoakGatewayOptions): string {
  const shared = "language: en, created: 2018-06-01";
  const messages = fileURLToPath(new URL("../fixtures/messages", import.meta.url));
  const upstreamOf = (origin: string): string =>
    `{ auth: "${origin}", apis: { chatbot: "${origin}" } }`;
  const slow = `  - { name: slow, match: { apiKey: slow }, ${shared}, upstream: ${upstreamOf(slowUpstream ?? "")} }`;
  return [
    "version: 1",
    "data: ./data",
    `upstream: ${upstreamOf(upstream)}`,
    "instances:",
    ...(slowUpstream === undefined ? [] : [slow]),
    `  - { name: bench, match: {}, ${shared} }`,
    `messages: { dir: "${messages}", use: [own], fallback: { default: en } }`,
    "",
  ].join("\n");
}

/** A field of /proc/PID/status (proc(5)), which is in KiB. */
function megabytes(pid: number, field: string): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8")
    .split("\n")
    .find((candidate) => candidate.startsWith(`${field}:`));
  return (Number.parseInt(line?.split(/\s+/)[1] ?? "0", 10) * 1024) / 1e6;
}
