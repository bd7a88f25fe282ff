import { parseJson } from "../../../json/values.ts";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { addressBehind, findLimitedNetwork } from "../../../http/client-address.ts";
import { isOutage } from "../../../errors.ts";
import { Refusal } from "../../http/refusal.ts";
import { callerBy, credentialsBy, requireAppLimit } from "../access.ts";
import type { Caller, ShownCredentials } from "../caller.ts";
import { ensureDemo } from "../demo.ts";
import { CLOSE, type EventSocket, serveSocket } from "./event-socket.ts";
import { requireOrigin } from "./origin.ts";
import { EVENTS, type StreamOptions, toStreamRequest } from "./stream-request.ts";
import {
  countUnauthenticated,
  limitsOf,
  requireStreamCapacity,
  RETRY_STREAM,
} from "./stream-limits.ts";

/** A request to upgrade, with the address that the chat should see, which a gateway may change. */
export interface SocketRequest {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Path and query. Default: those of `incoming`. */
  readonly target?: string;
  /**
   * The client's address, if a gateway knows it. Default: the peer's, or the one behind a trusted
   * proxy.
   */
  readonly client?: string;
}

type SocketOptions = StreamOptions & {
  /** True for a proxy whose X-Forwarded-For is trusted. Default: none is. */
  readonly trustsPeer?: (address: string) => boolean;
};

/** The chat's event streams over WebSocket, on Node. */
export interface ChatSockets {
  /** True for an upgrade that is the chat's. */
  accepts(incoming: Pick<IncomingMessage, "method" | "url" | "headers">): boolean;
  /** Takes the connection over. Never throws. */
  open(request: SocketRequest): void;
}

/** Limit of a client's message, in bytes. The hello is the longest. */
const maxMessageLength = 16_384;
const protocol = "afterword.chat";
/** Limit of bytes that wait for a peer, above the largest portion of events. */
const maxUnsent = 33_554_432;

/**
 * Takes over `GET /v1/events` with `Upgrade: websocket` (RFC 6455). Clients with credentials in
 * headers or query are accepted or refused before the upgrade. Pages cannot send headers with a
 * WebSocket, so other clients send their credentials in the first message:
 * `{"type":"hello","appId":…,"token":…,"lastEventId":…}`.
 */
export function createChatSockets(options: SocketOptions): ChatSockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageLength,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  });
  const limits = limitsOf(options.streams);
  const service: Service = { options, limits };
  const unauthenticated = countUnauthenticated(limits);
  return {
    accepts: ({ method, url = "", headers }) =>
      method === "GET" &&
      headers.upgrade?.toLowerCase() === "websocket" &&
      /^\/(?:chat\/)?v1\/events\/?(?:\?|$)/.test(url),
    open(request) {
      accept(request).catch((error: unknown) => {
        options.report?.(error);
        const refusal = isOutage(error)
          ? new Refusal(503, "The service is not available now.")
          : new Refusal(500, "Internal error");
        refuse(request.socket, refusal);
      });
    },
  };

  async function accept(request: SocketRequest): Promise<void> {
    const { incoming, socket, head, target } = request;
    const headers = headersOf(incoming);
    const query = new URL(target ?? incoming.url ?? "/", "http://chat").searchParams;
    const shown = credentialsBy((name) => headers.get(`x-hyper-${name}`) ?? query.get(name));
    const last = headers.get("last-event-id") ?? query.get("lastEventId");
    const known = shown.secret !== null || shown.token !== null;
    let caller: Caller | null = null;
    let leave = doNothing;
    try {
      if (options.demo) await ensureDemo(options);
      if (known) caller = await admit(service, shown, headers);
      // The socket's `close` event has passed, so nothing would be cleaned up.
      if (socket.destroyed) return;
      if (!known) {
        requireStreamCapacity(options.feed, null, limits);
        leave = unauthenticated.enter(findLimitedNetwork(clientOf(request, options.trustsPeer)));
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuse(socket, error);
    }
    // This also covers a client that goes away before the upgrade, or is refused by it.
    socket.once("close", leave);
    server.handleUpgrade(incoming, socket, head, (peer) => {
      // `close` reports errors as well.
      peer.on("error", () => undefined);
      // Each ping is answered, so a client that does not read would fill the memory with pongs.
      peer.on("ping", () => {
        if (socket.writableLength > maxUnsent) peer.terminate();
      });
      const connection = { peer, wire: socket, headers };
      const begun =
        caller === null
          ? waitForHello(service, connection, shown, leave)
          : begin(service, connection, caller, { shown, last });
      begun.catch((error: unknown) => {
        options.report?.(error);
        peer.close(CLOSE.failed, "the service has failed");
      });
      // A gateway hands the connection over paused, so that nothing is lost before listening.
      socket.resume();
    });
  }
}

/** Checks a client's credentials, origin and limits. Throws a Refusal if it may not listen now. */
async function admit(
  { options, limits }: Service,
  shown: ShownCredentials,
  headers: Headers,
): Promise<Caller> {
  const caller = await callerBy(shown, headers, EVENTS, options);
  const { app, person } = caller;
  await requireOrigin(options.database.kysely, app, headers);
  await requireAppLimit(options, app);
  requireStreamCapacity(options.feed, { app, person }, limits);
  return caller;
}

/** Waits for a client's hello, and begins the stream. */
async function waitForHello(
  service: Service,
  connection: Connection,
  before: ShownCredentials,
  leave: () => void,
): Promise<void> {
  const { peer, headers } = connection;
  const text = await readFirstText(peer, service.limits.hello).finally(leave);
  if (text === null) return peer.close(CLOSE.silent, "no hello came in time");
  const message = parseHello(text);
  if (message === null) return peer.close(CLOSE.unreadable, "the first message must be a hello");
  const { lastEventId = null, ...given } = { appId: before.appId, ...message };
  const shown = credentialsBy((name) => new Map(Object.entries(given)).get(name));
  try {
    const caller = await admit(service, shown, headers);
    await begin(service, connection, caller, { shown, last: lastEventId });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    peer.close(codeOf(error.status), shortenReason(error.message));
  }
}

async function begin(
  { options }: Service,
  connection: Connection,
  caller: Caller,
  { shown, last }: { readonly shown: ShownCredentials; readonly last: string | null },
): Promise<void> {
  const { peer, headers } = connection;
  const stream = toStreamRequest(options, caller, shown, headers, last);
  const socket = socketOf(connection);
  const { app, person } = caller;
  const subscription = await options.feed.open({ app, person }, stream.after);
  if (subscription === null) return peer.close(CLOSE.restart, "restart");
  await serveSocket(socket, stream, subscription);
}

/** The parts that all connections share. */
interface Service {
  readonly options: SocketOptions;
  readonly limits: ReturnType<typeof limitsOf>;
}

function doNothing(): void {}

function clientOf(
  { client, incoming: { headers, socket } }: SocketRequest,
  trusts: (address: string) => boolean = () => false,
): string {
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join(",");
  return client ?? addressBehind(socket.remoteAddress ?? "", forwardedFor, trusts);
}

interface Connection {
  readonly peer: WebSocket;
  /** The connection below it. */
  readonly wire: Duplex;
  readonly headers: Headers;
}

const hello = z.object({
  type: z.literal("hello"),
  appId: z.string().optional(),
  token: z.string().optional(),
  secret: z.string().optional(),
  lastEventId: z.union([z.string(), z.int().transform(String)]).optional(),
});

function parseHello(text: string): z.infer<typeof hello> | null {
  return hello.safeParse(parseJson(text)).data ?? null;
}

/** Reads the first message; null if none came in time, or the peer left. */
function readFirstText(peer: WebSocket, timeout: number): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (text: string | null): void => {
      clearTimeout(timer);
      peer.off("message", handleMessage).off("close", handleClose);
      resolve(text);
    };
    const handleMessage = (data: RawData): void => settle(textOf(data));
    const handleClose = (): void => settle(null);
    const timer = setTimeout(() => settle(null), timeout);
    peer.on("message", handleMessage).on("close", handleClose);
  });
}

function socketOf({ peer, wire }: Connection): EventSocket {
  return {
    send(texts, timeout) {
      if (peer.readyState !== peer.OPEN) return Promise.resolve(true);
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), timeout);
        const finish = (): void => {
          clearTimeout(timer);
          resolve(true);
        };
        // Corking joins all texts in one write.
        wire.cork();
        for (const [index, text] of texts.entries()) {
          peer.send(text, index === texts.length - 1 ? finish : undefined);
        }
        wire.uncork();
      });
    },
    ping: () => peer.ping(),
    close: (code, reason) => peer.close(code, reason),
    terminate: () => peer.terminate(),
    onPong: (listener) => void peer.on("pong", listener),
    onText: (listener) => void peer.on("message", (data: RawData) => listener(textOf(data))),
    onClosed(listener) {
      if (peer.readyState === peer.CLOSED) listener();
      else peer.on("close", listener);
    },
  };
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  }
  return headers;
}

const codes: Readonly<Record<number, number>> = {
  403: CLOSE.forbidden,
  429: CLOSE.tryLater,
  503: CLOSE.tryLater,
};

function codeOf(status: number): number {
  return codes[status] ?? CLOSE.unauthorized;
}

/** A close frame has room for 123 bytes. */
function shortenReason(reason: string): string {
  return reason.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 120);
}

/** Sends an ordinary HTTP answer instead of upgrading. */
function refuse(socket: Duplex, { status, message }: Refusal): void {
  const body = JSON.stringify({ error: { code: status, message } });
  const later = status === 503 || status === 429 ? `Retry-After: ${RETRY_STREAM}\r\n` : "";
  socket.on("error", () => undefined);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Refused"}\r\nContent-Type: application/json\r\n${later}` +
      `Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
