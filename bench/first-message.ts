/**
 * Measures how long a client waits for its first answer: `npm run bench -- first-message --help`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { node } from "./launch.ts";
import { describeMachine, loadAverage } from "./machine.ts";
import { spreadOf } from "./statistics.ts";
import { answerOf, messagePath, messageRequest, requestHeaders, texts } from "./traffic.ts";
import { build } from "./build.ts";
import { giveUp, list, readOptions, whole } from "./options.ts";

const { rounds, main } = readOptions({
  name: "npm run bench -- first-message",
  about:
    "How long a client waits for its first answer from a program that is started for it: from before the spawn until the answer's last byte, in rounds that alternate between the contestants; on Linux also the processor time until then, and the memory in use. `started before` has what Node keeps of compiled code, the others have not. Builds the package first.",
  options: {
    rounds: whole("rounds", 15),
    main: list("builds to compare, instead of building one", "FILE,FILE", "dist/cli/main.js"),
  },
  fails: "the first one's median is above 300 ms",
});
const limit = 300;
const disabled = "NODE_DISABLE_COMPILE_CACHE";

const mains = main ?? [build()];
for (const file of mains) if (!existsSync(file)) giveUp(`there is no ${file}`);

const answer = answerOf("flagged", 1700);
const upstream = createServer((incoming, outgoing) => {
  incoming.resume().once("end", () => {
    outgoing.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
}).listen(0, "127.0.0.1");
await once(upstream, "listening");
const address = upstream.address();
if (address === null || typeof address === "string") throw new Error("the upstream has no port");
const origin = `http://127.0.0.1:${address.port}`;

const directory = await mkdtemp(join(tmpdir(), "afterword-first-message-"));
try {
  const bare = fileURLToPath(new URL("compare/contestants/bare-dispatch.ts", import.meta.url));
  const env = {
    BENCH_UPSTREAM: origin,
    BENCH_KIND: "flagged",
    BENCH_SIZE: "1700",
    [disabled]: "1",
  };
  const proxy = { name: "bare node:http and undici", command: [bare], says: answer, env, runs: [] };
  const gateways = await Promise.all(mains.map(gatewaysOf));
  const contestants: readonly Contestant[] = [proxy, ...gateways.flat()];
  for (const one of contestants.filter(({ env: set }) => !(disabled in set)))
    await firstAnswer(one);
  for (let round = 0; round < rounds; round++) {
    for (const one of contestants) one.runs.push(await firstAnswer(one));
  }
  const { processor } = describeMachine(process.version);
  console.log(`${rounds} rounds, ${processor}, load ${loadAverage().toFixed(1)}; ms from spawn\n`);
  for (const { name, runs } of contestants) {
    const { low, median, high } = spreadOf(runs.map(({ time }) => time));
    const times = `${median.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`;
    console.log(`${name.padEnd(34)} ${times.padEnd(20)} ${resources(runs)}`);
  }
  const slowest = Math.max(
    ...(gateways[0] ?? []).map(({ runs }) => spreadOf(runs.map(({ time }) => time)).median),
  );
  console.log(`\n${slowest <= limit ? "kept" : "MISSED"}: at most ${limit} ms`);
  if (slowest > limit) process.exitCode = 1;
} finally {
  upstream.close();
  upstream.closeAllConnections();
  await rm(directory, { recursive: true, force: true });
}

interface Contestant {
  readonly name: string;
  /** Arguments of Node. */
  readonly command: readonly string[];
  /** The text that the answer must contain; null for anything but the upstream's text. */
  readonly says: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly runs: Run[];
}

interface Run {
  /** Milliseconds from before the spawn. */
  readonly time: number;
  /** Null if the system does not tell. */
  readonly used: { readonly cpuMs: number; readonly rssMb: number } | null;
}

async function gatewaysOf(main: string, index: number): Promise<readonly Contestant[]> {
  const name = index === 0 ? "afterword" : `build ${index + 1}`;
  return [
    await gateway(main, `${name}, all its languages`, "", null, { [disabled]: "1" }),
    await gateway(main, `${name}, one table`, "  use: [own]\n", texts.message, { [disabled]: "1" }),
    await gateway(main, `${name}, all, started before`, "", null, {}),
  ];
}

function resources(runs: readonly Run[]): string {
  const used = runs.flatMap(({ used: known }) => known ?? []);
  if (used.length === 0) return "";
  const cpu = spreadOf(used.map(({ cpuMs }) => cpuMs)).median;
  const rss = spreadOf(used.map(({ rssMb }) => rssMb)).median;
  return `${cpu.toFixed(0)} ms CPU, ${rss.toFixed(0)} MB`;
}

async function gateway(
  main: string,
  name: string,
  messages: string,
  says: string | null,
  env: Readonly<Record<string, string>>,
): Promise<Contestant> {
  const file = join(directory, `${says === null ? "all" : "own"}.yaml`);
  const dir = fileURLToPath(new URL("fixtures/messages", import.meta.url));
  const own =
    says === null ? "" : `messages:\n  dir: "${dir}"\n  fallback: { default: en }\n${messages}`;
  await writeFile(
    file,
    `version: 1
data: ./data
upstream: { auth: "${origin}", apis: { chatbot: "${origin}" } }
instances:
  - { name: bench, match: {}, language: en, created: 2018-06-01 }
${own}`,
  );
  const command = [main, "serve", "--config", file, "--port", "0"];
  return { name, command, says, env: { AFTERWORD_LOG: "warn", ...env }, runs: [] };
}

/** @throws Error for another answer, or none */
async function firstAnswer({ name, command, says, env }: Contestant): Promise<Run> {
  const begin = performance.now();
  const child = spawn(node, command, {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const said = await ask(await portOf(child, name));
    const time = performance.now() - begin;
    const expected = says === null ? said !== answer : said.includes(says);
    if (!expected) throw new Error(`${name} said ${said.slice(0, 200)}`);
    return { time, used: child.pid === undefined ? null : await usedBy(child.pid) };
  } finally {
    // A graceful end, so that Node writes its compile cache.
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

/** Returns the CPU time that a process has used so far, in all its threads. */
async function usedBy(pid: number): Promise<Run["used"]> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    let nanoseconds = 0;
    for (const thread of await readdir(`/proc/${pid}/task`)) {
      const [running = "0"] = (
        await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8")
      ).split(" ");
      nanoseconds += Number(running);
    }
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
    return { cpuMs: nanoseconds / 1e6, rssMb: kilobytes / 1024 };
  } catch {
    return null;
  }
}

async function portOf(child: ChildProcess, name: string): Promise<number> {
  if (child.stdout === null) throw new Error("unreachable: its output is a pipe");
  for await (const line of createInterface(child.stdout)) {
    const port = /listens on \S+:(\d+)|"port":(\d+)/.exec(line);
    if (port !== null) return Number(port[1] ?? port[2]);
  }
  throw new Error(`${name} did not start`);
}

function ask(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { ...requestHeaders, "content-length": Buffer.byteLength(messageRequest) };
    request({ port, host: "127.0.0.1", method: "POST", path: messagePath, headers }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      incoming.once("end", () => resolve(text));
    })
      .once("error", reject)
      .end(messageRequest);
  });
}
