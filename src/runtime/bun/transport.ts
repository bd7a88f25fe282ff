import type {
  Receiver,
  Transport,
  TransportError,
  UpstreamRequest,
  UpstreamStream,
} from "../../gateway/transport.ts";
import { createDeadlines, type Deadline, type Expiring } from "../node/deadline.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import type { Address, Carrying, Connection } from "./connection.ts";
import { Connections } from "./connections.ts";
import { loadLlhttp } from "./llhttp.ts";
import { requestHead } from "./request-head.ts";
import { bunConnect } from "./sockets.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Carries requests. One whose body is there, to an address that the configuration names, goes over a connection of our own:
 * Bun's `fetch` works on a thread of its own, and the way there and back costs more than the request. All others go with
 * `fetch`, told to leave content codings alone, as on every runtime with one; so do all where a proxy is set in `env`.
 */
export function createBunTransport(env: Env = {}): Transport {
  const usual = createFetchTransport({
    decodes: false,
    fetch: (url, init) => fetch(url, plain(init)),
  });
  const connect = proxyNames.some((name) => env[name]) ? null : bunConnect();
  if (connect === null) return usual;
  const llhttp = loadLlhttp();
  const startDeadline = createDeadlines();
  const origins = new Map<string, Connections>();
  const limitsOf = createLimits();

  const connectionsTo = (request: UpstreamRequest): Connections | null => {
    if (!isShort(request)) return null;
    const known = origins.get(request.origin);
    if (known !== undefined) return known;
    const address = origins.size < mostOrigins ? addressOf(request.origin) : null;
    if (address === null) return null;
    const connections = new Connections(address, connect, llhttp);
    origins.set(request.origin, connections);
    return connections;
  };

  return {
    send(request, receiver) {
      const connections = connectionsTo(request);
      if (connections === null) return usual.send(request, receiver);
      const carried = new Carried(request, receiver);
      carried.deadline = startDeadline(limitsOf(request.timeouts), carried);
      connections.carry(carried);
      return () => carried.fail(cancelled);
    },
  };
}

/** Bun's `fetch` heeds them. */
const proxyNames = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];

type Timeouts = UpstreamRequest["timeouts"];

/** Until the head there is the time for connecting and for waiting. */
function createLimits(): (timeouts: Timeouts) => Timeouts {
  const known = new WeakMap<Timeouts, Timeouts>();
  return (timeouts) => {
    const seen = known.get(timeouts);
    if (seen !== undefined) return seen;
    const { connect, headers } = timeouts;
    const limits = { ...timeouts, headers: headers === 0 ? 0 : connect + headers };
    known.set(timeouts, limits);
    return limits;
  };
}

/** Bun's own option, which the type of `fetch` does not know. */
function plain(init: RequestInit): RequestInit {
  const given = { ...init, decompress: false };
  return given;
}

function isShort({ trusted, path, body, method }: UpstreamRequest): boolean {
  if (!trusted || !plainPath.test(path) || !plainMethod.test(method)) return false;
  return body === null || (body instanceof Uint8Array && method !== "GET" && method !== "HEAD");
}

function addressOf(origin: string): Address | null {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return null;
  const url = new URL(origin);
  if (url.origin !== origin) return null;
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ""), host: url.host, port, secure };
}

/** No dot segment in any spelling, and nothing that a parser would write differently. */
const plainPath = /^(?:\/(?!\.|%2e)[\w~!$&()*+,;=:@%.-]*)+(?:\?[\w~!$&()*+,;=:@%./?-]*)?$/i;

/** None that changes what a connection is. */
const plainMethod = /^(?!CONNECT$)[A-Z]+$/;

const mostOrigins = 1000;

/** One for every request: a class, so that all have one shape and share their methods. */
class Carried implements Carrying, Expiring, UpstreamStream {
  deadline: Deadline | null = null;
  over = false;
  readonly method: string;
  readonly body: Uint8Array | null;
  readonly #request: UpstreamRequest;
  readonly #receiver: Receiver;
  #connection: Connection | null = null;
  #sent = false;

  constructor(request: UpstreamRequest, receiver: Receiver) {
    this.method = request.method;
    this.body = request.body instanceof Uint8Array ? request.body : null;
    this.#request = request;
    this.#receiver = receiver;
  }

  headFor(host: string): string {
    const { method, path, headers } = this.#request;
    return requestHead(method, path, headers, host, this.body?.length ?? null);
  }

  on(connection: Connection): void {
    this.#connection = connection;
  }

  sent(): void {
    this.#sent = true;
  }

  answered(status: number, reason: string, headers: readonly string[]): void {
    this.deadline?.answered();
    try {
      this.#receiver.head(status, reason, headers, this);
    } catch (error) {
      this.#fault(error);
    }
  }

  data(bytes: Uint8Array): void {
    this.deadline?.touch();
    try {
      this.#receiver.data(bytes);
    } catch (error) {
      this.#fault(error);
    }
  }

  ended(trailers: readonly string[]): void {
    if (this.over) return;
    this.#settle();
    try {
      this.#receiver.end(trailers);
    } catch {
      // It has all there is; what it does with that can't reach the process.
    }
  }

  failed(error: TransportError): void {
    this.fail(error);
  }

  expired(name: "headers" | "idle" | "total"): void {
    this.fail({ kind: "timeout", detail: `${name} timeout`, sent: this.#sent });
  }

  pause(): void {
    if (this.over) return;
    this.deadline?.pause();
    this.#connection?.pause();
  }

  resume(): void {
    if (this.over) return;
    this.deadline?.resume();
    this.#connection?.resume();
  }

  fail(error: TransportError): void {
    if (this.over) return;
    this.#settle();
    this.#connection?.abandon(this);
    // Later, never from inside a call of the receiver's own.
    queueMicrotask(() => {
      try {
        this.#receiver.fail(error);
      } catch {
        // It has been told; what it does with that can't reach the process.
      }
    });
  }

  /** A fault in the receiver ends this exchange and nothing else. */
  #fault(error: unknown): void {
    const name = error instanceof Error ? error.name : "unknown";
    this.fail({ kind: "broken", detail: `receiver threw ${name}`, sent: true });
  }

  #settle(): void {
    this.over = true;
    this.deadline?.stop();
  }
}

const cancelled: TransportError = { kind: "cancelled", detail: "cancelled", sent: true };
