/** Whether memory stays where it is: `npm run soak -- --help`. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describeMachine, findObstacle, loadAverage } from "../machine.ts";
import { startSoakGateway } from "./gateway.ts";
import { type SoakSample, summarize } from "./summary.ts";
import { findTool } from "../tools.ts";
import { messageRequest, requestHeaders } from "../traffic.ts";
import { startUpstreams } from "../upstreams.ts";
import { cores, flag, giveUp, optionalText, readOptions, text, whole } from "../options.ts";
import { build } from "../build.ts";

const values = readOptions({
  name: "npm run soak",
  about:
    "Whether memory stays where it is. Builds the package, and starts `afterword serve`, set up as in deploy/Dockerfile, in front of a fast upstream; its resident memory is read after every few seconds of load.",
  options: {
    requests: whole("requests in all", 1_000_000),
    connections: whole("open connections", 32),
    slice: whole("seconds of load between two looks at the memory", 4),
    rss: whole("MB that it may use at the end", 150),
    slope: whole("MB that it may grow by per 100,000 requests over the last half", 1),
    main: optionalText(
      "another built command, instead of building one",
      "FILE",
      "dist/cli/main.js",
    ),
    node: text("options of its Node", "OPTIONS", "--max-semi-space-size=8"),
    preload: text("a library that is loaded first; empty for none", "LIBRARY", "libjemalloc.so.2"),
    verbose: flag("prints the memory after each slice"),
    ...cores,
  },
  fails: "it ends above the limit, or grows by more",
});
const { requests: wanted, "proxy-core": proxyCore, "load-core": loadCore } = values;

const obstacle = findObstacle(proxyCore, loadCore) ?? lacking(values.preload);
if (obstacle !== null) giveUp(obstacle);

const upstreams = await startUpstreams(1700, loadCore);
const gateway = await startSoakGateway({
  upstream: upstreams.flagged.origin,
  core: proxyCore,
  nodeOptions: values.node.split(" ").filter((option) => option !== ""),
  main: values.main ?? build(),
  preload: values.preload,
});
try {
  const machine = describeMachine(process.version);
  console.log(
    `${wanted} requests, ${values.connections} connections, ${settings()}, ${machine.processor}, load ${loadAverage().toFixed(1)}`,
  );
  const samples: SoakSample[] = [{ requests: 0, rss: gateway.rss() }];
  let requests = 0;
  const started = performance.now();
  while (requests < wanted) {
    const { requests: more, broken, refused } = await slice(gateway.url);
    if (more === 0 || broken > 0 || refused > 0) {
      throw new Error(
        `${more} answers, ${broken} broken connections, ${refused} with an error status`,
      );
    }
    requests += more;
    samples.push({ requests, rss: gateway.rss() });
    if (values.verbose) console.log(`${requests} requests: ${mb(gateway.rss())} MB`);
  }
  const seconds = (performance.now() - started) / 1000;
  const summary = summarize(samples);
  const limits = { rss: values.rss, slope: values.slope };
  console.log(`${requests} requests in ${seconds.toFixed(0)} s, none failed`);
  console.log(
    `RSS in MB: start ${mb(summary.start)}, middle ${mb(summary.middle)}, end ${mb(summary.end)} (limit ${limits.rss}), peak ${mb(gateway.peak())}`,
  );
  console.log(
    `growth over the last ${summary.counted} requests: ${summary.slope.toFixed(2)} MB per 100,000 (limit ${limits.slope})`,
  );
  if (summary.end > limits.rss || summary.slope >= limits.slope) process.exitCode = 1;
} finally {
  await gateway.stop();
  await upstreams.stop();
}

/** Why the library can't be loaded, with the cure. */
function lacking(library: string): string | null {
  if (library === "" || existsSync(library)) return null;
  const ldconfig = findTool("ldconfig") ?? "ldconfig";
  if (execFileSync(ldconfig, ["-p"], { encoding: "utf8" }).includes(library)) return null;
  return `${library} missing: apt-get install -y libjemalloc2, or measure without it: --preload=`;
}

function settings(): string {
  return [values.node, values.preload].filter(Boolean).join(" ") || "no settings";
}

async function slice(url: string): Promise<{ requests: number; broken: number; refused: number }> {
  const script = fileURLToPath(new URL("soak.lua", import.meta.url));
  const fields = Object.entries(requestHeaders).flatMap(([name, value]) => [
    "-H",
    `${name}: ${value}`,
  ]);
  const { stdout } = await promisify(execFile)(
    "taskset",
    [
      "-c",
      String(loadCore),
      "wrk",
      "-t",
      "1",
      "-c",
      String(values.connections),
      "-d",
      `${values.slice}s`,
    ].concat(["--timeout", "10s", "-s", script, ...fields, url]),
    { env: { PATH: process.env["PATH"], BENCH_BODY: messageRequest } },
  );
  const line = stdout.split("\n").find((candidate) => candidate.startsWith("{")) ?? "{}";
  const seen: unknown = JSON.parse(line);
  return {
    requests: figure(seen, "requests"),
    broken: figure(seen, "broken"),
    refused: figure(seen, "refused"),
  };
}

function figure(seen: unknown, name: string): number {
  const found: unknown = typeof seen === "object" && seen !== null ? Reflect.get(seen, name) : null;
  if (typeof found === "number") return found;
  throw new Error(`wrk's summary lacks ${name}`);
}

function mb(value: number): string {
  return value.toFixed(1);
}
