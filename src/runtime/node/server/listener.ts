import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AfterwordError } from "../../../errors.ts";
import { isNamed } from "../../../gateway/exchange/headers.ts";
import { answerOn, createDrain, type Drained } from "./drain.ts";
import { lingerAtClose } from "./lingering-close.ts";
import { limits } from "./server-limits.ts";
import { watchBodies } from "./stalled-bodies.ts";

export interface ListenerOptions {
  /** PEM texts: the listener then speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Takes over upgrade requests that `accepts`; all others are served as if they had not asked. */
  readonly upgrade?: {
    accepts(incoming: IncomingMessage): boolean;
    open(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
  };
  /** Called with errors while answering. */
  readonly onError?: (error: unknown) => void;
  /** How to choose another port, for the message about one that is in use. */
  readonly portOption?: string;
}

export interface Listener {
  readonly server: Server;
  /** @throws AfterwordError `listen-failed`. Port 0 takes a free one. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Stops accepting, drains by `Connection: close`, breaks off after `limit` ms, then resolves. */
  drain(limit: number): Promise<Drained>;
}

/**
 * Node's HTTP server, with limits. What Node's parser refuses gets Node's bare 400 (408, 431);
 * everything that HTTP permits reaches `serve`. What that throws ends the connection.
 */
export function createListener(serve: RequestListener, options: ListenerOptions = {}): Listener {
  const { upgrade, tls, onError, portOption = "--port or PORT" } = options;
  const serverOptions = {
    ...serverDefaults,
    shouldUpgradeCallback: (incoming: IncomingMessage) =>
      upgrade !== undefined &&
      !hasBody(incoming) &&
      refusalOf(incoming) === null &&
      // Node would release the connection at once, while an answer is being sent.
      answerOn(incoming.socket) === null &&
      attempt(() => upgrade.accepts(incoming)),
  };
  /** Node calls these from its parser, where a throw would end the process. */
  const attempt = (act: () => boolean): boolean => {
    try {
      return act();
    } catch (error) {
      onError?.(error);
      return false;
    }
  };
  const server =
    tls === undefined
      ? createServer(serverOptions)
      : createSecureServer({ ...serverOptions, ...tls, handshakeTimeout: limits.head });
  // Fields beyond the two thousandth would vanish without a word; their size is limited anyway.
  server.maxHeadersCount = 0;
  const drain = createDrain(server);
  const unwatch = watchBodies(
    () => drain.listAnswers(),
    ({ req }) => refuse(req.socket, 408),
  );
  server.on("close", unwatch);

  const serveRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const refusal = refusalOf(incoming);
    if (refusal !== null) return refuse(incoming.socket, refusal);
    if (!server.listening) outgoing.shouldKeepAlive = false;
    if (!incoming.complete) {
      outgoing.once("prefinish", () => {
        if (!incoming.complete) lingerAtClose(incoming);
      });
    }
    outgoing.on("close", () => finishBody(incoming));
    try {
      serve(incoming, outgoing);
    } catch (error) {
      onError?.(error);
      outgoing.destroy();
    }
  };
  server.on("request", serveInTurn(serveRequest));
  server.on("upgrade", (incoming, socket, head) => {
    drain.trackTunnel(socket);
    socket.on("error", () => socket.destroy());
    const opened = attempt(() => {
      upgrade?.open(incoming, socket, head);
      return upgrade !== undefined;
    });
    if (!opened) socket.destroy();
  });
  // Node would just close (RFC 9110, 9.3.6: only proxies configured for it take CONNECT).
  server.on("connect", (_incoming, socket) => refuse(socket, 501));

  return {
    server,
    drain: (limit) => drain.start(limit),
    listen: (port, host) => listen(server, port, host, portOption),
  };
}

function listen(
  server: Server,
  port: number,
  host: string,
  portOption: string,
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => {
      const message = listenFailure(cause, host, port, portOption);
      reject(new AfterwordError("listen-failed", message, { cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      const address = server.address();
      if (address !== null && typeof address === "object") resolve(address);
    });
  });
}

const serverDefaults = {
  requestTimeout: limits.request,
  headersTimeout: limits.head,
  keepAliveTimeout: limits.idle,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: limits.headSize,
  insecureHTTPParser: false,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: limits.probeAfter,
} as const;

/** Reads a body that Node passed as a tunnel's first bytes, and serves without the upgrade. */
function hasBody({ headers }: IncomingMessage): boolean {
  return "transfer-encoding" in headers || (headers["content-length"] ?? "0") !== "0";
}

/**
 * Returns the status that refuses a request which Node's parser lets pass, or null: HTTP/0.9 and
 * 2.0 in a line of HTTP/1; two `Host` fields, which name two hosts (RFC 9112 section 3.2); and
 * transfer codings other than `chunked`. llhttp reads chunks whatever coding was announced before
 * them, so a forwarded body would have lost that coding (section 6.1).
 */
function refusalOf({ httpVersionMajor, rawHeaders }: IncomingMessage): 400 | 501 | 505 | null {
  if (httpVersionMajor !== 1) return 505;
  let hosts = 0;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (isNamed(name, "host") && ++hosts === 2) return 400;
    if (!isNamed(name, "transfer-encoding")) continue;
    const coding = rawHeaders[i + 1] ?? "";
    if (coding.toLowerCase() !== "chunked") return coding === "" ? 400 : 501;
  }
  return null;
}

/** Ends the connection with a minimal answer, as Node does after what it cannot read. */
function refuse(socket: Duplex, status: 400 | 408 | 501 | 505): void {
  socket.on("error", () => socket.destroy());
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
  socket.end(head, () => socket.destroy());
}

export function listenFailure(
  cause: Error,
  host: string,
  port: number,
  portOption: string,
): string {
  const code = "code" in cause ? String(cause.code) : cause.name;
  const where = `${host}:${port}`;
  switch (code) {
    case "EADDRINUSE":
      return `${where} is in use: stop what listens there, or choose another port with ${portOption}`;
    case "EACCES":
      return `this process may not listen on ${where}: choose a port of 1024 or higher`;
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
    case "ENOTFOUND":
      return `${host} is no address of this machine: choose another with --host or HOST`;
    default:
      return `cannot listen on ${where} (${code})`;
  }
}

/** Drains an unread body after its answer, for the next request; ends the connection if long. */
function finishBody(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed || incoming.socket.writableEnded) return;
  // Only the end itself is missing, which Node handles.
  if (incoming.complete && incoming.readableLength === 0) return;
  // The reader may be about to reach the end.
  setImmediate(() => setImmediate(skip, incoming));
}

function skip(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let read = 0;
  const giveUp = (): void => {
    stop();
    incoming.socket.destroySoon();
  };
  const timer = setTimeout(giveUp, limits.rest).unref();
  const count = ({ length }: Uint8Array): void => {
    read += length;
    if (read > limits.dropped) giveUp();
  };
  const stop = (): void => {
    clearTimeout(timer);
    incoming.off("data", count).off("close", stop);
  };
  incoming.on("close", stop).on("data", count);
  incoming.resume();
}

/**
 * Serves the requests of a connection one after the other, as a client that waits for each answer
 * would ask them. Node hands over all that it has read at once, and each of them would take a place
 * before its turn.
 */
function serveInTurn(serve: RequestListener): RequestListener {
  /** How many requests wait, for connections with waiting ones. */
  const waiting = new WeakMap<Socket, number>();

  function wait(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > limits.pipelined) {
      socket.destroy();
      return;
    }
    // Deferred, because Node resumes reading at each request's end.
    if (count >= pausedFrom) process.nextTick(pause, socket);
    outgoing.once("socket", () => {
      const left = (waiting.get(socket) ?? 1) - 1;
      waiting.set(socket, left);
      if (left === pausedFrom - 1) socket.resume();
      serve(incoming, outgoing);
    });
  }

  function pause(socket: Socket): void {
    if ((waiting.get(socket) ?? 0) >= pausedFrom) socket.pause();
  }

  return (incoming, outgoing) => {
    // An answer without a socket waits behind another one.
    if (outgoing.socket === null) wait(incoming, outgoing);
    else serve(incoming, outgoing);
  };
}

/**
 * With fewer requests, reading continues, because a server that does not read does not notice that
 * a client leaves.
 */
const pausedFrom = 16;

/** Finds the address for clients on this machine: an unspecified address cannot be dialled. */
export function urlOf({ address, port }: AddressInfo, scheme: string): string {
  if (address === "0.0.0.0") return `${scheme}://127.0.0.1:${port}`;
  const host = address === "::" ? "::1" : address;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
