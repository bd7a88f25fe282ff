import { writeFile } from "node:fs/promises";
import { connect, createServer, type Server as TcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { beforeAll, onTestFinished } from "vitest";
import { type Clients, createClients } from "../../../src/api/clients.ts";
import { afterword } from "../../cli/terminal.ts";
import { startServer } from "../../clients/conformance/processes.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { type DevWorker, root, startWranglerDev } from "../../clients/conformance/wrangler.ts";
import { createFolder, type Later } from "../../fixtures/folder.ts";
import { startTalk, type Talk } from "../../escalation/hand-over/bed.ts";

/** A worker behind `wrangler dev`, which hands over to `afterword backend` on Node. */
export interface EdgeBed {
  /** Changes when the worker is restarted. */
  url(): string;
  readonly clients: Clients;
  /** Case management is reached through this port. */
  readonly ticketing: SwitchedPort;
  talk(lang?: string): Promise<Talk>;
  /** The agent of the chat. */
  signIn(): Promise<Agent>;
  /** Requests of a conversation that continues after the worker was restarted. */
  say(talk: Talk, body: Record<string, unknown>): Promise<readonly string[]>;
  /** Ends workerd, and starts another with the same storage. */
  restart(): Promise<void>;
  /** What the worker has logged. */
  printed(): string;
  /** The content of /_afterword/escalations. */
  open(): Promise<readonly OpenOne[]>;
}

type Agent = ReturnType<Clients["chat"]["as"]>;

export interface OpenOne {
  readonly phase: string;
  readonly calls: readonly { readonly state: string; readonly attempts: number }[];
}

export interface EdgeBedOptions {
  /** Changes the worker's wrangler.toml. */
  readonly toml?: (text: string) => string;
  /**
   * Registers a function that ends a part of it; the last one registered is called first. Default:
   * at the end of the test.
   */
  readonly later?: Later;
}

/** One for all tests of a `describe`, which may find data of earlier ones. */
export function sharedBed(ladder: string): { readonly bed: EdgeBed } {
  let bed: EdgeBed | null = null;
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = [];
    const close = async (): Promise<void> => {
      for (const end of ends.toReversed()) await end();
    };
    try {
      bed = await edgeBed(ladder, { later: (end) => void ends.push(end) });
    } catch (error) {
      await close();
      throw error;
    }
    return close;
  });
  return {
    get bed() {
      if (bed === null) throw new Error("no bed yet");
      return bed;
    },
  };
}

export async function edgeBed(
  ladder: string,
  { toml = (text) => text, later = onTestFinished }: EdgeBedOptions = {},
): Promise<EdgeBed> {
  const directory = createFolder(later);
  const port = await freePort();
  const database = join(directory, "backend.db");
  const key = await made(database, ["key", "add", "edge", "--project", "shop"]);
  const app = await made(database, ["app", "add", "edge"]);
  const agent = await made(database, ["agent", "add", "sam", "--room", "1"]);
  const backend = await startServer(
    process.execPath,
    [
      ...[join(root, "src/cli/main.ts"), "backend", "--port", String(port)],
      ...["--database", database],
    ],
    { cwd: root, env: process.env, ready: /listens on/ },
  );
  later(() => backend.stop());
  const origin = `http://127.0.0.1:${port}`;
  const ticketing = await openPort(port);
  later(() => ticketing.end());
  const configuration = join(directory, "afterword.yaml");
  await writeFile(configuration, yaml(origin, ticketing.port, ladder));
  let worker = await start();
  later(() => worker.stop());
  const url = (): string => `http://127.0.0.1:${worker.port}`;
  const clients = createClients({
    auth: { url: origin, apiKey: key["apiKey"] ?? "", secret: key["secret"] ?? "" },
    chat: { url: origin, appId: app["appId"] ?? "", secret: app["secret"] ?? "" },
  });
  return {
    url,
    ticketing,
    clients,
    talk: (lang = "en") =>
      startTalk(url(), lang, {}, { apiKey: key["apiKey"] ?? "", secret: key["secret"] ?? "" }),
    async signIn() {
      const { token } = await clients.chat.login("sam", agent["password"] ?? "");
      return clients.chat.as(token ?? "");
    },
    async say(talk, body) {
      const response = await fetch(`${url()}/v1/conversation/message`, {
        method: "POST",
        headers: talk.headers,
        body: JSON.stringify(body),
      });
      const { answers } = (await response.json()) as { answers: readonly { message: string }[] };
      return answers.map(({ message }) => message);
    },
    async restart() {
      await worker.stop();
      worker = await start();
    },
    printed: () => worker.printed(),
    async open() {
      const headers = { authorization: "Bearer conformance-admin-token" };
      const response = await fetch(`${url()}/_afterword/escalations`, { headers });
      return ((await response.json()) as { escalations: readonly OpenOne[] }).escalations;
    },
  };

  function start(): Promise<DevWorker> {
    const vars = {
      API_KEY: key["apiKey"] ?? null,
      SECRET: key["secret"] ?? null,
      CHAT_APP: app["appId"] ?? null,
      CHAT_SECRET: app["secret"] ?? null,
      HOOK_SECRET: hookSecret,
      AFTERWORD_LOG: "warn",
    };
    return startWranglerDev(directory, configuration, vars, toml);
  }
}

/** Credentials for a remote backend, which refuses those of the demo. */
async function made(
  database: string,
  command: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const args = ["backend", ...command, "--format", "json", "--database", database];
  return JSON.parse((await afterword(args)).out) as Record<string, string>;
}

export const hookSecret = "a secret of the chat's webhooks";

function yaml(origin: string, ticketing: number, ladder: string): string {
  return `version: 1
upstream: { auth: "${origin}", chat: "${origin}/chat", allow: [127.0.0.1], keyHeader: x-inbenta-key }
instances:
  - name: shop
    match: {}
    language: en
    created: 2018-06-01
    credentials: { apiKey: "\${API_KEY}", secret: "\${SECRET}", chatApp: "\${CHAT_APP}", chatSecret: "\${CHAT_SECRET}", room: 1 }
    upstream: { apis: { chatbot: "${origin}/chatbot", ticketing: "http://127.0.0.1:${ticketing}/ticketing" } }
escalation:
  mode: managed
  identity: { ask: [] }
  ladder: [${ladder}]
  chat: { hookSecret: "\${HOOK_SECRET}", poll: 250ms }
`;
}

/** A port that forwards to another one while it is open. */
export interface SwitchedPort {
  readonly port: number;
  close(): void;
  open(): void;
  /** Closes it. */
  end(): Promise<void>;
}

async function openPort(target: number): Promise<SwitchedPort> {
  let shut = false;
  const through = new Set<Socket>();
  const server: TcpServer = createServer((socket) => {
    if (shut) return void socket.destroy();
    through.add(socket);
    socket.on("close", () => through.delete(socket));
    const other = connect(target, "127.0.0.1");
    for (const [one, its] of [
      [socket, other],
      [other, socket],
    ] as const) {
      one.on("error", () => its.destroy());
      one.on("close", () => its.destroy());
    }
    socket.pipe(other).pipe(socket);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    close: () => {
      shut = true;
      // Also idle connections.
      for (const socket of through) socket.destroy();
    },
    open: () => {
      shut = false;
    },
    end: async () => void server.close(),
  };
}
