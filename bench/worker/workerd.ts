import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../test/fixtures/free-port.ts";
import { writeWranglerConfig } from "../../test/clients/conformance/wrangler.ts";
import { cpuSeconds } from "../proc.ts";
import { root, wrangler } from "./build.ts";

/** The bundle in workerd alone, without the proxies, logs and simulators of `wrangler dev`. */
export interface Workerd {
  readonly port: number;
  /** User and system time of the process so far, in milliseconds. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * @param directory an empty one, for everything that is written
 * @param remembers whether conversations are kept in Durable Objects, which then run in the same
 *   process
 */
export async function startWorkerd(
  directory: string,
  configuration: string,
  remembers: boolean,
): Promise<Workerd> {
  const out = join(directory, "bundle");
  const file = await writeWranglerConfig(directory, configuration);
  await wrangler(["deploy", "--dry-run", "--config", file, "--env", "", "--outdir", out]);
  await mkdir(join(directory, "objects"));
  const port = await freePort();
  const config = join(out, "workerd.capnp");
  await writeFile(config, capnp(port, join(directory, "objects"), remembers));
  return runWorkerd(config, port);
}

/**
 * A Worker of one module, which asks upstreams on this machine. @param source answers
 * /_afterword/health with 200
 */
export async function startWorker(directory: string, source: string): Promise<Workerd> {
  await writeFile(join(directory, "main.js"), source);
  const port = await freePort();
  const config = join(directory, "workerd.capnp");
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .one),
    (name = "internet", network = (allow = ["local", "private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const one :Workerd.Worker = (
  modules = [(name = "main.js", esModule = embed "main.js")],
  compatibilityDate = "2026-10-01",
  globalOutbound = "internet",
);
`,
  );
  return runWorkerd(config, port);
}

/**
 * @param config names a socket at `port`, where /_afterword/health is answered with 200 once all is
 * ready
 */
async function runWorkerd(config: string, port: number): Promise<Workerd> {
  const child = spawn(join(root, "node_modules/.bin/workerd"), ["serve", config], {
    stdio: "inherit",
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("workerd did not start");
  await listening(port, child);
  // The package's command may be a script that runs the binary.
  return { port, cpu: () => cpuOf(pid), stop: () => end(child) };
}

function capnp(port: number, objects: string, remembers: boolean): string {
  const bindings = [
    '(name = "AFTERWORD_ROUTE_KEYS", text = "a route key of good length")',
    '(name = "AFTERWORD_LOG", text = "silent")',
    ...(remembers
      ? ['(name = "AFTERWORD_CONVERSATIONS", durableObjectNamespace = "Conversation")']
      : []),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .gateway),
    (name = "internet", network = (allow = ["local", "private", "public"])),
    (name = "objects", disk = (path = ${JSON.stringify(objects)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const gateway :Workerd.Worker = (
  modules = [(name = "main.js", esModule = embed "main.js")],
  compatibilityDate = "2026-10-01",
  bindings = [${bindings.join(", ")}],
  globalOutbound = "internet",
  durableObjectNamespaces = [(className = "Conversation", uniqueKey = "conversations", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
);
`;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) throw new Error("workerd ended");
    const there = await fetch(`http://127.0.0.1:${port}/_afterword/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (there) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("workerd never answered");
}

/** In milliseconds, with its children. */
async function cpuOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const all = [pid, ...children.split(" ").filter(Boolean).map(Number)];
  return all.reduce((sum, one) => sum + cpuSeconds(one) * 1000, 0);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}
