import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerOf, messageRequest, startAnswer, startRequest } from "../../../bench/traffic.ts";
import type { Measure } from "../measure.ts";
import { type Program, startProgram } from "./program.ts";

const MOST_OF_MESSAGE = 50;
const MOST_OF_TICKET = 30;
const JSON_TYPE = { "content-type": "application/json" };
const KEY = { ...JSON_TYPE, "x-vendor-key": "demo-key" };

/** The files that two requests go through, each once it has been made before. */
export async function ways(root: string): Promise<readonly Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), "house-ways-"));
  const measureOf = (title: string, most: number, files: readonly string[]): Measure => {
    const findings = files.map((name) => ({ name, size: linesOf(join(root, name)) }));
    const lines = findings.reduce((sum, { size }) => sum + size, 0);
    const note = `${lines.toLocaleString("en")} lines`;
    return { title, value: files.length, most, findings, inOrder: true, note };
  };
  try {
    return [
      measureOf("files of a rewritten message", MOST_OF_MESSAGE, await wayOfMessage(root, folder)),
      measureOf("files of a created ticket", MOST_OF_TICKET, await wayOfTicket(root, folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function linesOf(file: string): number {
  return readFileSync(file, "utf8").split("\n").length - 1;
}

/** 1.7 KB with a flag and a related title, through the signed route that discovery gave. */
async function wayOfMessage(root: string, folder: string): Promise<readonly string[]> {
  const { server, origin } = await startUpstream();
  const file = join(folder, "afterword.yaml");
  writeFileSync(
    file,
    `version: 1
data: ./data
upstream: { auth: "${origin}", allow: ["127.0.0.1"] }
instances:
  - { name: shop, match: {}, language: en, created: 2018-06-01 }
`,
  );
  try {
    return await withProgram(root, ["serve", "--config", file, "--port", "0"], async (program) => {
      const { headers, base } = await logIn(program.url, "chatbot");
      const started = await post(`${base}/v1/conversation`, headers, startRequest);
      const session = { "x-inbenta-session": `Bearer ${textAt(started, "sessionToken")}` };
      const say = (): Promise<unknown> =>
        post(`${base}/v1/conversation/message`, { ...headers, ...session }, messageRequest);
      const said = JSON.stringify(await say());
      if (said === answerOf("flagged", SIZE)) throw new Error("the message is not rewritten");
      return program.filesRunBy(say);
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function wayOfTicket(root: string, folder: string): Promise<readonly string[]> {
  const content = join(root, "config/backend");
  const database = join(folder, "tickets.db");
  const args = ["backend", "--content", content, "--database", database, "--port", "0"];
  return withProgram(root, args, async (program) => {
    const { headers, base } = await logIn(program.url, "ticketing");
    const person = JSON.stringify({ name: "Ana", address: "ana@example.test" });
    const user = await post(`${base}/v1/users`, headers, person);
    const ticket = { message: "Where is my order?", creator: valueAt(user, "uuid") };
    const create = (): Promise<unknown> =>
      post(`${base}/v1/tickets`, headers, JSON.stringify(ticket));
    await create();
    return program.filesRunBy(create);
  });
}

async function withProgram<T>(
  root: string,
  args: readonly string[],
  use: (program: Program) => Promise<T>,
): Promise<T> {
  const program = await startProgram(root, args);
  try {
    return await use(program);
  } finally {
    await program.stop();
  }
}

const SIZE = 1700;

/** The vendor's authentication and chatbot, which say the same to everybody. */
async function startUpstream(): Promise<{ readonly server: Server; readonly origin: string }> {
  let origin = "";
  const answerTo = ({ url }: IncomingMessage): string => {
    if (url?.startsWith("/v1/auth") === true) {
      return JSON.stringify({
        accessToken: "house-access-token",
        expires_in: 1200,
        apis: { chatbot: `${origin}/prod/chatbot` },
      });
    }
    return url?.endsWith("/message") === true ? answerOf("flagged", SIZE) : startAnswer;
  };
  const server = createServer((incoming, outgoing) => {
    incoming.resume().once("end", () => {
      outgoing.writeHead(200, JSON_TYPE).end(answerTo(incoming));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("unreachable: it has a port");
  origin = `http://127.0.0.1:${address.port}`;
  return { server, origin };
}

/** Where the product is, and what its requests carry. */
async function logIn(
  url: string,
  product: string,
): Promise<{ readonly base: string; readonly headers: Readonly<Record<string, string>> }> {
  const login = await post(`${url}/v1/auth`, KEY, JSON.stringify({ secret: "demo-secret" }));
  const base = textAt(login, "apis", product);
  if (!base.startsWith(url)) throw new Error(`${product} is not behind Afterword: ${base}`);
  return { base, headers: { ...KEY, authorization: `Bearer ${textAt(login, "accessToken")}` } };
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<unknown> {
  const response = await fetch(url, { method: "POST", headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** @throws Error when there is no text at the end of this path */
function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  if (typeof found === "string") return found;
  throw new Error(`there is no ${path.join(".")} in ${JSON.stringify(value)}`);
}

function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const step of path) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, step) : undefined;
  }
  return found;
}
