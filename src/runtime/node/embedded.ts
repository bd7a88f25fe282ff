import { once } from "node:events";
import { lookup } from "node:dns/promises";
import { STATUS_CODES } from "node:http";
import { resolve } from "node:path";
import type { ChatSockets } from "../../backend/chat/events/node-sockets.ts";
import { type Owned, readOwned } from "../../backend/auth/owned.ts";
import { openBackend } from "../../backend/node.ts";
import { openDatabase } from "../../backend/storage/open-database.ts";
import { keepSweeping } from "../../backend/storage/sweeping.ts";
import { projectsFrom } from "../../backend/chatbot/projects.ts";
import type { ByteBudget } from "../../http/shares.ts";
import type { Config, InstanceConfig } from "../../config/config.ts";
import { borrowsDemoContent, demoContentMessage } from "../../config/embedded.ts";
import { exposureOf } from "../../config/exposure.ts";
import { AfterwordError, isOutage } from "../../errors.ts";
import type { Metrics } from "../../gateway/metrics.ts";
import type { Logger } from "../../gateway/platform.ts";
import type { RefusedCredentials } from "../../gateway/refused-credentials.ts";
import { createRecognition, type Recognition, withOwnWords } from "../../locales/recognition.ts";
import type { Transport } from "../../gateway/upstream/transport.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import { headersOf } from "../web/field-lists.ts";
import { type ContentRecord, createContentRecord } from "./content-record.ts";
import { type BackendAccess, decideAccess, withDemoAccess } from "./demo-credentials.ts";
import { loadKeys, TOKEN_KEYS } from "./keys.ts";
import { listenFailure } from "./listener.ts";
import { createOwnCredentials, findMissing } from "./own-credentials.ts";
import type { OpenTunnel } from "./tunnel.ts";

/** The backend in the gateway's own process. */
export interface Embedded {
  readonly transport: Transport;
  /** The configuration with the keys that the backend really has. */
  readonly config: Config;
  adapt(config: Config): Config;
  /** Calls `changed` when the owner's keys, apps or rooms have changed: then adapt again. */
  watchAccess(changed: () => void): void;
  /** Upgrades that lead to the backend. */
  readonly tunnel: OpenTunnel;
  /** What became of changed contents. */
  readonly content: ContentRecord;
  /** Takes who is told of wrong passwords and secrets, and of outages of the database. */
  reportTo(refused: RefusedCredentials, metrics: Metrics): void;
  /** Ends what has no end of its own: event streams, whose clients are told to come back. */
  endStreams(): void;
  close(): Promise<void>;
}

/** Opens the embedded backend: content, database, credentials. Does not listen. */
export async function openEmbedded(
  config: Config,
  host: string,
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
  version: string,
  bodies: ByteBudget,
  hasConsole: () => boolean,
): Promise<Embedded> {
  const access = await openAccess(config, host, env["AFTERWORD_DEMO_CREDENTIALS"]);
  if (access.file !== null) log("info", "demo-credentials", { file: access.file });
  reportDemoContent(config, host, log);
  const own = createOwnCredentials();
  const signingKeys = await loadKeys(TOKEN_KEYS, env, config.data);
  const content = createContentRecord(log, Date.now);
  let refused: RefusedCredentials | null = null;
  let metrics: Metrics | null = null;
  let recognition = recognitionIn(config);
  const backend = await openBackend({
    content: config.backend.content,
    database: config.backend.database,
    signingKeys,
    demo: access.demo,
    credentials: access.entries,
    lookUp: own.credentials,
    chatSecret: own.chatSecret,
    projects: projectsFrom(config.instances),
    recognition: () => recognition,
    report(error, request) {
      if (isOutage(error)) {
        metrics?.count("afterword_store_failures_total", "backend");
        return log("warn", "store-unavailable", {
          route: "backend",
          detail: error.message,
          ...request,
        });
      }
      log("error", "internal-error", { route: "backend", detail: String(error), ...request });
    },
    bases: (product) => `embedded:${product}`,
    bodies,
    webhooks: config.backend.webhooks,
    wire: config.backend.wire,
    knowledge: config.backend.knowledge,
    ticketing: config.backend.ticketing,
    webhookFailed: ({ form, reason, detail }) =>
      log("warn", "webhook-failed", { form, reason, detail }),
    refusedCredential: ({ kind, address }) => refused?.note(kind, address),
    contentRefused: content.contentRefused,
    contentTaken: content.contentTaken,
    version,
    address: () => addressOf(config.listen, host),
    console: hasConsole,
  });
  let owned: Owned;
  try {
    owned = await readOwned(backend.database);
  } catch (error) {
    await backend.close();
    throw error;
  }
  let reported = "";
  let uses = false;
  const adapt = (other: Config): Config => {
    uses = other.callers.length > 0 || other.instances.some(handsOver);
    const missing = findMissing(other, owned).map(({ message, hint }) => `${message}. ${hint}`);
    if (missing.join("\n") !== reported) {
      for (const detail of missing) log("warn", "escalation-credentials", { detail });
      reported = missing.join("\n");
    }
    // The demo project is never used beside the owner's own.
    return owned.keys.length === 0 ? withDemoAccess(other, access) : own.fill(other, owned);
  };
  const watching: (() => Promise<void>)[] = [];
  return {
    content,
    reportTo(credentials, counters) {
      refused = credentials;
      metrics = counters;
    },
    transport: createEmbeddedTransport((request, bindings) => backend.app.fetch(request, bindings)),
    tunnel: createEmbeddedTunnel(backend.sockets),
    endStreams: () => backend.endStreams(),
    config: adapt(config),
    adapt(other) {
      recognition = recognitionIn(other);
      return adapt(other);
    },
    watchAccess(changed) {
      const look = async (): Promise<void> => {
        if (!uses) return;
        const now = await readOwned(backend.database);
        if (JSON.stringify(now) === JSON.stringify(owned)) return;
        owned = now;
        changed();
      };
      // A database that fails is reported by the requests that need it.
      watching.push(keepSweeping(look, betweenLooks, () => undefined));
    },
    async close() {
      for (const end of watching) await end();
      await backend.close();
    },
  };
}

/** Where clients reach the gateway, as far as its configuration knows. */
function addressOf({ publicUrl, tls, port }: Config["listen"], host: string): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return publicUrl ?? `${tls === null ? "http" : "https"}://${name}:${port}`;
}

/** A forgotten or misspelt mount must not show readers a shop that does not exist. */
function reportDemoContent(config: Config, host: string, log: Logger): void {
  if (!borrowsDemoContent(config)) return;
  const exposed = exposureOf({ ...config.listen, host });
  const detail = demoContentMessage(config, exposed);
  if (exposed !== null) throw new AfterwordError("content-invalid", detail);
  log("warn", "demo-content", { detail });
}

function handsOver({ escalation }: InstanceConfig): boolean {
  return escalation.mode === "managed";
}

/** Milliseconds after which a key, an app or a room of the command line is seen. */
const betweenLooks = 3000;

/** The database is opened only where it decides, because opening it takes time. */
async function openAccess(
  config: Config,
  host: string,
  mode: string | undefined,
): Promise<BackendAccess> {
  // A misspelt name is no address that others reach.
  await lookup(host).catch((error: Error) => {
    const message = listenFailure(error, host, config.listen.port, "--port or PORT");
    throw new AfterwordError("listen-failed", message);
  });
  return decideAccess({
    ...config.listen,
    host,
    noDemo: false,
    mode,
    data: config.data,
    command: "",
    addKey: `afterword backend key add NAME${configArgumentOf(config)}`,
    async hasKey() {
      const database = await openDatabase(config.backend.database);
      try {
        return (await readOwned(database)).keys.length > 0;
      } finally {
        await database.close();
      }
    },
  });
}

/** Empty where the command line finds the configuration by itself. */
function configArgumentOf({ sources: [file = ""] }: Config): string {
  return file === "" || resolve(file) === resolve("config/afterword.yaml")
    ? ""
    : ` --config ${file}`;
}

/** With the words of all instances: the engine does not know whose conversation it is. */
function recognitionIn({ recognition, tableSets }: Config): Recognition {
  const own = new Set(tableSets.flatMap(({ words }) => words ?? []));
  return createRecognition(withOwnWords(recognition, [...own]));
}

/** A Hono app's `fetch`, or anything shaped like it. */
type FetchApp = (request: Request, bindings: EmbeddedBindings) => Response | Promise<Response>;

/** What the app reads as `c.env`. */
interface EmbeddedBindings {
  /** Address of the gateway's client, or null for calls of the gateway's own. */
  readonly client: string | null;
}

/**
 * Carries requests for `embedded:<product>` to an app in this process, as
 * `http://embedded/<product><path>`. Nothing is dialled. Header names of the answer are in lower
 * case, as `Headers` keeps them.
 */
export function createEmbeddedTransport(app: FetchApp): Transport {
  return {
    send(request, receiver) {
      const { method, headers, body, client } = request;
      const product = request.origin.slice("embedded:".length);
      // `Request` refuses a body here, and the app has no use for one.
      const isBodiless = method === "GET" || method === "HEAD";
      const inProcess = createFetchTransport({
        decodes: false,
        // With all the fields: `fetch` would leave out Host and the length.
        fetch: async (url, init) =>
          app(new Request(url, { ...init, headers: headersOf(headers) }), {
            client: client || null,
          }),
      });
      const called = {
        ...request,
        origin: "http://embedded",
        path: `/${product}${request.path}`,
        body: isBodiless ? null : body,
        trusted: true,
        // Nothing is dialled: `fetch` would add the time for it to that for the head.
        timeouts: { ...request.timeouts, connect: 0 },
      };
      return inProcess.send(called, {
        head: (status, reason, fields, answer) =>
          receiver.head(status, reason || (STATUS_CODES[status] ?? ""), fields, answer),
        data: (bytes) => receiver.data(bytes),
        end: (trailers) => receiver.end(trailers),
        fail: (error) => receiver.fail(error),
      });
    },
  };
}

/** Upgrades for `embedded:chat` go to the chat in this process; other embedded ones get 404. */
function createEmbeddedTunnel(sockets: ChatSockets): OpenTunnel {
  return async ({ incoming, head, reply, release, upstream }) => {
    const { method, headers } = incoming;
    const target = upstream.path;
    const ours =
      upstream.origin === "embedded:chat" && sockets.accepts({ method, url: target, headers });
    if (!ours) {
      reply.send(404, "Not Found", ["content-length", "0"], new Uint8Array(0));
      return { kind: "answered", status: 404 };
    }
    const socket = release();
    // The client left while it waited for its place: nothing would tell of it any more.
    if (socket.destroyed) return { kind: "closed" };
    const over = once(socket, "close");
    socket.setTimeout(0);
    const client = upstream.client ?? "";
    sockets.open({
      incoming,
      socket,
      head: Buffer.from(head),
      target,
      ...(client !== "" && { client }),
    });
    await over.catch(() => undefined);
    return { kind: "closed" };
  };
}
