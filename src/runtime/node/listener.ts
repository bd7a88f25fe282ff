import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { AfterwordError } from "../../errors.ts";
import type { RawHeaders } from "../../gateway/exchange.ts";
import { isNamed } from "../../gateway/headers.ts";
import { limits } from "./server-limits.ts";
import { createDrain, type Drained } from "./drain.ts";
import { inTurn } from "./pipelined.ts";
import { watchBodies } from "./stalled-bodies.ts";
import { finishBody } from "./unread-body.ts";

/**
 * Answers one request. Whatever it throws ends the connection.
 *
 * @param closed to be called once, when the answer is closed
 */
export type Serve = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  closed: () => void,
) => void;

export interface ListenerOptions {
  /** PEM texts: the listener then speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Takes over upgrade requests that `accepts`; all others are served as if they had not asked. */
  readonly upgrade?: {
    accepts(incoming: IncomingMessage): boolean;
    open(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
  };
  /** What answering threw. */
  readonly onError?: (error: unknown) => void;
  /** How somebody chooses another port, for the message of one that is in use. */
  readonly portOption?: string;
}

export interface Listener {
  readonly server: Server;
  /** @throws AfterwordError `listen-failed`. Port 0 takes a free one. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** True from the moment `drain` was called. */
  readonly draining: boolean;
  /**
   * Stops accepting, lets what is under way finish with `Connection: close`, and after `limit`
   * milliseconds breaks the rest off. Resolves when the last connection is closed.
   */
  drain(limit: number): Promise<Drained>;
}

/**
 * Node's HTTP server, with limits. What Node's parser refuses gets Node's bare 400 (408, 431);
 * everything that HTTP permits reaches `serve`.
 */
export function createListener(serve: Serve, options: ListenerOptions = {}): Listener {
  const { upgrade, tls, onError, portOption = "--port or PORT" } = options;
  const serverOptions = {
    ...serverDefaults,
    shouldUpgradeCallback: (incoming: IncomingMessage) =>
      upgrade !== undefined &&
      !hasBody(incoming) &&
      refusalOf(incoming) === null &&
      !isBehindAnother(incoming) &&
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
      : createSecureServer({ ...serverOptions, ...tls });
  // Fields beyond the two thousandth would vanish without a word; their size is limited anyway.
  server.maxHeadersCount = 0;
  const drain = createDrain(server);
  const unwatch = watchBodies(drain, ({ req }) => refuse(req.socket, 408));
  server.on("close", unwatch);

  const serveRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const refusal = refusalOf(incoming);
    if (refusal !== null) return refuse(incoming.socket, refusal);
    const release = drain.track(outgoing);
    const closed = (): void => {
      release();
      finishBody(incoming);
    };
    const served = attempt(() => {
      serve(incoming, outgoing, closed);
      return true;
    });
    if (!served) outgoing.destroy();
  };
  server.on("request", inTurn(serveRequest));
  server.on("upgrade", (incoming, socket, head) => {
    drain.trackTunnel(socket);
    socket.on("error", () => socket.destroy());
    const opened = attempt(() => {
      upgrade?.open(incoming, socket, head);
      return upgrade !== undefined;
    });
    if (!opened) socket.destroy();
  });
  // Node would close without a word (RFC 9110, 9.3.6: only proxies that are configured for it take
  // CONNECT).
  server.on("connect", (_incoming, socket) => refuse(socket, 501));

  return {
    server,
    get draining() {
      return drain.draining;
    },
    drain: (limit) => drain.start(limit),
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        const fail = (cause: Error): void => {
          const said = listenFailure(cause, host, port, portOption);
          reject(new AfterwordError("listen-failed", said, { cause }));
        };
        server.once("error", fail);
        server.listen(port, host, () => {
          server.off("error", fail);
          const address = server.address();
          if (address !== null && typeof address === "object") resolve(address);
        });
      }),
  };
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

/**
 * Node hands the start of a body over as the tunnel's first bytes; such a request is served without
 * its upgrade.
 */
function hasBody({ headers }: IncomingMessage): boolean {
  return "transfer-encoding" in headers || (headers["content-length"] ?? "0") !== "0";
}

/** Node would hand the connection over at once, under the answer that is under way. */
function isBehindAnother({ socket }: IncomingMessage): boolean {
  return (Reflect.get(socket, "_httpMessage") ?? null) !== null;
}

/** What Node's parser lets pass: HTTP/0.9 and 2.0 in a line of HTTP/1, and more. */
function refusalOf({ httpVersionMajor, rawHeaders }: IncomingMessage): 400 | 501 | 505 | null {
  return httpVersionMajor === 1 ? refusedHead(rawHeaders) : 505;
}

/**
 * Ends the connection with the shortest answer there is, as Node does after what it cannot read.
 */
function refuse(socket: Duplex, status: 400 | 408 | 501 | 505): void {
  socket.on("error", () => socket.destroy());
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
  socket.end(head, () => socket.destroy());
}

function listenFailure(cause: Error, host: string, port: number, portOption: string): string {
  const code = "code" in cause ? String(cause.code) : cause.name;
  const where = `${host}:${port}`;
  switch (code) {
    case "EADDRINUSE":
      return `${where} is in use: stop what listens there, or choose another port with ${portOption}`;
    case "EACCES":
      return `this process may not listen on ${where}: choose a port of 1024 or higher`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine: choose another with --host or HOST`;
    default:
      return `cannot listen on ${where} (${code})`;
  }
}

/**
 * Why the head of a request is refused, or null. Two `Host` fields name two places (RFC 9112
 * section 3.2). Of the transfer codings we know `chunked` alone: llhttp reads chunks whatever was
 * announced before them, and what was lost with that coding would go on as if it had never been
 * there (section 6.1).
 */
function refusedHead(headers: RawHeaders): 400 | 501 | null {
  let hosts = 0;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (name.length === 4) {
      if (isNamed(name, "host") && ++hosts === 2) return 400;
    } else if (name.length === 17 && isNamed(name, "transfer-encoding")) {
      const coding = headers[i + 1] ?? "";
      if (coding.toLowerCase() !== "chunked") return coding === "" ? 400 : 501;
    }
  }
  return null;
}
