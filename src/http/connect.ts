import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import type { buildConnector as undici } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import type { Failure, Network, Proxy } from "./types.ts";

/**
 * Opens a connection to the one place it was made for. Never throws.
 *
 * @param done called once
 * @param read called with what comes; `lent` bytes lie in a buffer that is used again after the call. Without it the
 *   socket is not read from
 */
export type Connect = (done: Opened, read?: (bytes: Buffer, lent: boolean) => void) => void;

export type Opened = (...result: [socket: Socket, failure: null] | [null, Failure]) => void;

export interface ConnectOptions {
  /** False: only public addresses, after resolution. */
  readonly trusted: boolean;
  /** Milliseconds until the connection must stand, TLS included; 0 is none. */
  readonly timeout: number;
  /** It is asked for a tunnel. */
  readonly proxy: Proxy | null;
}

/** Makes connections to an origin over TCP or TLS, for HTTP/1.1 only. */
export function createConnect(target: URL, options: ConnectOptions, network: Network): Connect {
  const { trusted, timeout, proxy } = options;
  const host = toBareHost(target.hostname);
  // `lookup` sees no literal, and behind a proxy no name either.
  if (!trusted && (isIP(host) !== 0 || proxy !== null) && !network.isPublic(host)) {
    return (done) => queueMicrotask(() => done(null, failureOf(new NotPublic())));
  }
  const lookup = trusted || proxy !== null ? network.lookup : createGuardedLookup(network);
  const shared = {
    allowH2: false,
    timeout,
    ...(network.ca !== undefined && { ca: network.ca }),
    ...(lookup !== undefined && { lookup }),
  };
  const open = buildConnector(shared);
  if (proxy !== null) return connectThroughProxy(open, target, proxy, timeout);
  if (target.protocol === "https:") {
    return (done, read) => connect(open, placeOf(target), withReading(read, done));
  }
  return (done, read) => {
    const callback = (length: number): boolean => {
      read?.(page.subarray(0, length), true);
      return true;
    };
    // Such an option is undici's for all of a connector's sockets.
    const onto = read && buildConnector({ ...shared, onread: { buffer: page, callback } });
    connect(onto ?? open, placeOf(target), done);
  };
}

/** Shared by all connections without TLS: each read is handed over before the next one starts. */
const page = Buffer.allocUnsafeSlow(65_536);

function connectThroughProxy(
  open: undici.connector,
  target: URL,
  proxy: Proxy,
  timeout: number,
): Connect {
  return (done, read) => {
    const give = withReading(read, done);
    connect(open, placeOf(proxy.url), (socket, failure) => {
      if (socket === null) {
        done(null, createUnreachable(`the proxy cannot be reached: ${failure.detail}`));
        return;
      }
      openTunnel(socket, target, proxy, timeout, (refused) => {
        if (refused !== null) done(null, refused);
        else if (target.protocol === "http:") give(socket, null);
        else connect(open, { ...placeOf(target), httpSocket: socket }, give);
      });
    });
  };
}

/** Reads by events what the socket gets. */
function withReading(read: Parameters<Connect>[1], done: Opened): Opened {
  return (...result) => {
    const [socket] = result;
    if (read !== undefined) socket?.on("data", (bytes: Buffer) => read(bytes, false));
    done(...result);
  };
}

/** Null: not an http or https origin. */
export function parseOrigin(origin: string): URL | null {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/** A URL's hostname as the system's resolver wants it: no brackets, no final dot. */
export function toBareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/(.)\.$/, "$1");
}

export function portOf({ port, protocol }: URL): string {
  if (port !== "") return port;
  return protocol === "https:" ? "443" : "80";
}

/** In words of our own: a library's message may carry what must not be logged. */
export function failureOf(error: unknown, sent = false): Failure {
  if (error instanceof NotPublic) return { kind: "refused", detail: error.message, sent: false };
  const code = codeOf(error);
  const kind = timeouts.has(code) ? "timeout" : sent ? "broken" : "unreachable";
  return { kind, detail: code, sent };
}

const timeouts: ReadonlySet<string> = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"]);

function codeOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error) {
    if (typeof error.code === "string") return error.code;
  }
  return error instanceof Error ? error.name : "unknown";
}

function placeOf(url: URL): undici.Options {
  const hostname = toBareHost(url.hostname);
  const { host, protocol, port } = url;
  // An address is no SNI name (RFC 6066 section 3): the certificate is checked against it itself.
  return { hostname, host, protocol, port, servername: isIP(hostname) === 0 ? hostname : "" };
}

function connect(opener: undici.connector, place: undici.Options, done: Opened): void {
  try {
    opener(place, (error, socket) => {
      // Undici passes nothing at all where its types say null.
      if (error !== null || socket === null) done(null, failureOf(error));
      else done(socket, null);
    });
  } catch (error) {
    done(null, failureOf(error));
  }
}

/** The address is not public, and the configuration does not name it. */
class NotPublic extends Error {
  constructor() {
    super("the address is not public and is not named in the configuration");
  }
}

/**
 * Fails when any of the addresses a name resolves to is not public. One is enough: a name that has
 * both is misconfigured or an attack, and picking the good one would let the other side choose the
 * moment. The socket connects to the very addresses that were looked at, so a second answer of the
 * name server changes nothing.
 */
export function createGuardedLookup({ lookup = systemLookup, isPublic }: Network): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, "");
        return;
      }
      const addresses = typeof found === "string" ? [{ address: found, family: 4 }] : found;
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublic(address))) {
        callback(new NotPublic(), "");
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Far more than any proxy says before a tunnel, in bytes. */
const mostTunnelHead = 16_384;

/**
 * Asks a proxy for a tunnel (RFC 9110 section 9.3.6). Not with undici's ProxyAgent, which turns raw
 * header lists into objects and loses duplicates.
 *
 * @param done gets why there is none, or null
 */
function openTunnel(
  socket: Socket,
  target: URL,
  { authorization }: Proxy,
  timeout: number,
  done: (failure: Failure | null) => void,
): void {
  let head: Buffer = Buffer.alloc(0);
  const settle = (failure: Failure | null): void => {
    clearTimeout(timer);
    socket
      .off("readable", read)
      .off("error", handleClose)
      .off("close", handleClose)
      .off("end", handleClose);
    if (failure !== null) socket.on("error", () => undefined).destroy();
    done(failure);
  };
  const fail = (detail: string): void => settle(createUnreachable(detail));
  const handleClose = (): void => fail("the proxy closed the connection");
  const read = (): void => {
    for (let bytes: unknown = socket.read(); bytes instanceof Uint8Array; bytes = socket.read()) {
      head = Buffer.concat([head, bytes]);
    }
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) {
      if (head.length > mostTunnelHead) fail("the proxy's answer has no end");
      return;
    }
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1", 0, 13))?.[1] ?? "none";
    if (!status.startsWith("2")) {
      fail(`the proxy refused the tunnel with status ${status}`);
      return;
    }
    if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
    settle(null);
  };
  const timer =
    timeout > 0 ? setTimeout(() => fail("the proxy does not answer"), timeout) : undefined;
  socket
    .on("readable", read)
    .on("error", handleClose)
    .on("close", handleClose)
    .on("end", handleClose);
  const host = toBareHost(target.hostname);
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${portOf(target)}`;
  const credentials = authorization === null ? "" : `Proxy-Authorization: ${authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
}

function createUnreachable(detail: string): Failure {
  return { kind: "unreachable", detail, sent: false };
}
