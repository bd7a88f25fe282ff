import { once } from "node:events";
import { lookup } from "node:dns/promises";
import { STATUS_CODES } from "node:http";
import { resolve } from "node:path";
import type { ChatSockets } from "../../backend/chat/events/node-sockets.ts";
import { readOwned } from "../../backend/auth/owned.ts";
import { openDatabase } from "../../backend/storage/open-database.ts";
import { keepSweeping } from "../../backend/storage/sweeping.ts";
import { projectsFrom } from "../../backend/chatbot/projects.ts";
import type { ByteBudget } from "../../http/shares.ts";
import type { Config, InstanceConfig } from "../../config/config.ts";
import { borrowsDemoContent, describeDemoContent } from "../../config/load/embedded.ts";
import { exposureOf } from "../../config/exposure.ts";
import { AfterwordError } from "../../errors.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import { createRecognition, type Recognition, withOwnWords } from "../../locales/recognition.ts";
import type { Transport } from "../../gateway/exchange/transport.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import { headersOf } from "../web/field-lists.ts";
import {
  type BackendAccess,
  decideAccess,
  withDemoAccess,
} from "./credentials/demo-credentials.ts";
import { listenFailure } from "./server/listener.ts";
import { type LoggedBackend, openLoggedBackend } from "./logged-backend.ts";
import { createOwnCredentials, findMissing } from "./credentials/own-credentials.ts";
import type { OpenTunnel } from "./server/tunnel.ts";
import { toShellWord } from "../../text.ts";

/** The backend in the gateway's own process. */
export interface Embedded {
  readonly transport: Transport;
  /** The configuration with the keys that the backend really has. */
  readonly config: Config;
  adapt(config: Config): Config;
  /**
   * Calls `changed` when the owner's keys, apps or rooms have changed, so that the configuration is
   * adapted again.
   */
  watchAccess(changed: () => void): void;
  /** Upgrades that lead to the backend. */
  readonly tunnel: OpenTunnel;
  readonly backend: Pick<
    LoggedBackend,
    "contents" | "contentState" | "reportTo" | "endStreams" | "questions"
  >;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly config: Config;
  readonly host: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly version: string;
  readonly bodies: ByteBudget;
  readonly hasConsole: () => boolean;
}

/** Opens the embedded backend: content, database, credentials. Does not listen. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { config, host, env, log, version, bodies, hasConsole } = options;
  const access = await openAccess(config, host, env["AFTERWORD_DEMO_CREDENTIALS"]);
  if (access.file !== null) log("info", "demo-credentials", { file: access.file });
  reportDemoContent(config, host, log);
  const own = createOwnCredentials();
  let recognition = recognitionIn(config);
  const backend = await openLoggedBackend({
    ...config.backend,
    access,
    data: config.data,
    env,
    log,
    version,
    bodies,
    lookUp: own.credentials,
    chatSecret: own.chatSecret,
    projects: projectsFrom(config.instances),
    recognition: () => recognition,
    bases: (product) => `embedded:${product}`,
    address: () => addressOf(config.listen, host),
    console: hasConsole,
  });
  const parts = new AsyncDisposableStack();
  parts.defer(() => backend.close());
  let owned = await readOwned(backend.database).catch(async (error: unknown) => {
    await parts.disposeAsync();
    throw error;
  });
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
  return {
    backend,
    transport: createEmbeddedTransport((request, bindings) => backend.app.fetch(request, bindings)),
    tunnel: createEmbeddedTunnel(backend.sockets),
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
      // The requests that need the database report its failure.
      parts.defer(keepSweeping(look, betweenLooks, () => undefined));
    },
    close: () => parts.disposeAsync(),
  };
}

/** Finds the address where clients reach the gateway, as far as its configuration knows. */
function addressOf({ publicUrl, tls, port }: Config["listen"], host: string): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return publicUrl ?? `${tls === null ? "http" : "https"}://${name}:${port}`;
}

/** A forgotten or misspelt mount must not show readers a shop that does not exist. */
function reportDemoContent(config: Config, host: string, log: Logger): void {
  if (!borrowsDemoContent(config)) return;
  const exposed = exposureOf({ ...config.listen, host });
  const detail = describeDemoContent(config, exposed);
  if (exposed !== null) throw new AfterwordError("content-invalid", detail);
  log("warn", "demo-content", { detail });
}

function handsOver({ escalation }: InstanceConfig): boolean {
  return escalation.mode === "managed";
}

/** Milliseconds after which a key, an app or a room of the command line is noticed. */
const betweenLooks = 3000;

/** The database is opened only if the decision depends on it, because opening it takes time. */
async function openAccess(
  config: Config,
  host: string,
  mode: string | undefined,
): Promise<BackendAccess> {
  // A misspelt name is not an address that others can reach.
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
    : ` --config ${toShellWord(file)}`;
}

/** With the words of all instances: the engine does not know whose conversation it is. */
function recognitionIn({ recognition, tableSets }: Config): Recognition {
  const own = new Set(tableSets.flatMap(({ words }) => words ?? []));
  return createRecognition(withOwnWords(recognition, [...own]));
}

/** A Hono app's `fetch`, or anything shaped like it. */
type FetchApp = (request: Request, bindings: EmbeddedBindings) => Response | Promise<Response>;

/** The values of `c.env` in the app. */
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
  const inProcess = createFetchTransport({
    decodes: false,
    // With all the fields: `fetch` would leave out Host and the length.
    fetch: async (url, init, { headers, client }) =>
      app(new Request(url, { ...init, headers: headersOf(headers) }), { client: client || null }),
  });
  return {
    send(request, receiver) {
      const { method, body } = request;
      const product = request.origin.slice("embedded:".length);
      // `Request` refuses a body here, and the app has no use for one.
      const isBodiless = method === "GET" || method === "HEAD";
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
    // The client left while it waited for a place, and no later event would report that.
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
