/**
 * Prints the files of src/ that a rewritten message and a created ticket run, and counts their
 * functions, and the types of gateway, http and runtime in the signatures of those:
 * `node build/request-paths.ts`. It does not count worker threads: SQLite's, and the
 * scripted upstream's, which shares functions with the gateway but is no part of it.
 */
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { serve as listen } from "@hono/node-server";
import { answerOf, messageRequest, startAnswer, startRequest } from "../bench/traffic.ts";
import { openBackend } from "../src/backend/node.ts";
import { fieldOf } from "../src/gateway/exchange/headers.ts";
import {
  type ScriptedAnswer,
  type ScriptedUpstream,
  startScriptedUpstream,
} from "../src/testing/index.ts";
import { loadConfig, serve } from "../src/runtime/node/index.ts";

const root = dirname(import.meta.dirname);
const source = pathToFileURL(join(root, "src/")).href;
/** Timers run functions too. Only what every repetition runs belongs to the request. */
const REPETITIONS = 4;
/** Milliseconds for what follows an answer, such as counting it. */
const SETTLE = 50;

/** The names of all types and classes that these three parts declare. */
const ownTypes = new Set(
  globSync("src/{gateway,http,runtime}/**/*.ts", { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(join(root, file), "utf8").matchAll(
        /^(?:export )?(?:interface|type|class) (\w+)/gm,
      ),
    ].map(([, name = ""]) => name),
  ),
);

const session = new Session();
const folder = mkdtempSync(join(tmpdir(), "request-paths-"));
try {
  if (isMainThread) await printPaths();
  else parentPort?.postMessage((await startUpstream()).origin);
} finally {
  rmSync(folder, { recursive: true });
}

async function printPaths(): Promise<void> {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  print("a rewritten message", await traceMessage());
  print("a created ticket", await traceTicket());
}

function startUpstream(): Promise<ScriptedUpstream> {
  return startScriptedUpstream({
    handler({ target, headers }) {
      const apis = { chatbot: `http://${fieldOf(headers, "host")}/prod/chatbot` };
      if (target === "/v1/auth")
        return jsonAnswer(JSON.stringify({ accessToken: "token", expires_in: 1200, apis }));
      return jsonAnswer(target.endsWith("/message") ? answerOf("flagged", 1700) : startAnswer);
    },
  });
}

/** Sends a message with a flag and a related title through the signed route of a discovery. */
async function traceMessage(): Promise<readonly string[]> {
  const upstream = new Worker(new URL(import.meta.url));
  const [origin] = await once(upstream, "message");
  const file = join(folder, "afterword.yaml");
  const vendor = `{ auth: "${String(origin)}", allow: ["127.0.0.1"] }`;
  const shop = "{ name: shop, match: {}, language: en, created: 2018-06-01 }";
  writeFileSync(file, `version: 1\ndata: ./data\nupstream: ${vendor}\ninstances: [${shop}]\n`);
  const config = await loadConfig(file);
  const running = await serve({ config, port: 0, env: { AFTERWORD_LOG: "error" } });
  try {
    const { base, headers } = await logIn(running.url, "chatbot");
    const started = await post(`${base}/v1/conversation`, headers, startRequest);
    const talk = { ...headers, "x-inbenta-session": `Bearer ${textAt(started, "sessionToken")}` };
    const say = () => post(`${base}/v1/conversation/message`, talk, messageRequest);
    await say();
    return await traceRepeated(say);
  } finally {
    await running.close();
    await upstream.terminate();
  }
}

/** Creates a ticket in a backend with a database file. */
async function traceTicket(): Promise<readonly string[]> {
  const backend = await openBackend({
    content: join(root, "config/backend"),
    database: join(folder, "tickets.db"),
    signingKeys: [new Uint8Array(32).fill(7)],
    demo: true,
  });
  const server = listen({ fetch: backend.app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  try {
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { base, headers } = await logIn(`http://127.0.0.1:${port}`, "ticketing");
    const person = JSON.stringify({ name: "Ana", address: "ana@example.test" });
    const user = await post(`${base}/v1/users`, headers, person);
    const ticket = JSON.stringify({
      message: "Where is it?",
      creator: Number(textAt(user, "uuid")),
    });
    const create = () => post(`${base}/v1/tickets`, headers, ticket);
    await create();
    return await traceRepeated(create);
  } finally {
    server.close();
    await backend.close();
  }
}

/** @returns `file#function@offset` of each function that every repetition runs */
async function traceRepeated(request: () => Promise<unknown>): Promise<readonly string[]> {
  const runs: Set<string>[] = [];
  for (let count = 0; count < REPETITIONS; count++) {
    await pause(SETTLE);
    await takeFunctions();
    await request();
    await pause(SETTLE);
    runs.push(new Set(await takeFunctions()));
  }
  return [...runs.reduce((every, run) => every.intersection(run))].sort();
}

/** Taking the counts also resets them. */
async function takeFunctions(): Promise<readonly string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url }) => url.startsWith(source) && !url.startsWith(`${source}testing/`))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges }) => ranges[0]?.startOffset !== 0 && (ranges[0]?.count ?? 0) > 0)
        .map((one) => `${url}#${one.functionName}@${one.ranges[0]?.startOffset}`),
    );
}

/** Lists the types that the signatures of functions between the listener and the socket name. */
function typesOf(functions: readonly string[]): readonly string[] {
  const between = functions.filter((name) => /src\/(?:gateway|http|runtime)\//.test(name));
  const named = between.flatMap((name) => {
    const url = name.slice(0, name.indexOf("#"));
    const start = Number(name.slice(name.lastIndexOf("@") + 1));
    const text = readFileSync(fileURLToPath(url), "utf8").slice(start);
    const [signature = ""] = /^(?:.*?)(?:=>|(?<!^\s*|[(,] ?)\{$)/ms.exec(text) ?? [];
    return signature.match(/(?<=[:<|&([] ?)[A-Z]\w+/g) ?? [];
  });
  return [...new Set(named)].filter((name) => ownTypes.has(name)).sort();
}

function print(title: string, functions: readonly string[]): void {
  const files = Map.groupBy(functions, (name) => fileURLToPath(name.slice(0, name.indexOf("#"))));
  const rows = [...files].map(([file, own]) => {
    const lines = readFileSync(file, "utf8").split("\n").length - 1;
    return { file: relative(root, file), lines, functions: own.length };
  });
  const lines = rows.reduce((sum, row) => sum + row.lines, 0);
  const types = typesOf(functions);
  process.stdout.write(
    `${title}: ${rows.length} files, ${functions.length} functions, ${lines} lines\n` +
      rows.map((row) => `  ${row.file} (${row.functions} of ${row.lines} lines)\n`).join("") +
      (types.length === 0
        ? ""
        : `  ${types.length} types in their signatures: ${types.join(", ")}\n`),
  );
}

async function logIn(url: string, product: string) {
  const key = { "content-type": "application/json", "x-vendor-key": "demo-key" };
  const login = await post(`${url}/v1/auth`, key, JSON.stringify({ secret: "demo-secret" }));
  const headers = { ...key, authorization: `Bearer ${textAt(login, "accessToken")}` };
  return { base: textAt(login, "apis", product), headers };
}

function jsonAnswer(body: string): ScriptedAnswer {
  return { headers: ["content-type", "application/json"], body };
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string) {
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as unknown;
}

function textAt(value: unknown, ...path: readonly string[]): string {
  return String(path.reduce<unknown>((found, key) => Object(found)[key], value));
}
