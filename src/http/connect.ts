import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import type { buildConnector as undici } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import type { Failure, Proxy } from "./types.ts";

/**
 * Opens a connection to a fixed destination. Never throws.
 *
 * @param done called once
 * @param read called with received bytes; when `lent`, their buffer is reused after the call. Without `read` nothing
 *   reads from the socket
 */
export type Connect = (done: Opened, read?: (bytes: Buffer, lent: boolean) => void) => void;

export type Opened = (...result: [socket: Socket, failure: null] | [null, Failure]) => void;

export interface ConnectOptions {
  /** False if only public addresses are allowed, checked after name resolution. */
  readonly trusted: boolean;
  /** Milliseconds until the connection must be established, TLS included; 0 for no limit. */
  readonly timeout: number;
  /** A proxy that is asked for a tunnel. */
  readonly proxy: Proxy | null;
}

/** Rules for where connections may go, and how. */
export interface Network {
  readonly proxyFor: (target: URL) => Proxy | null;
  /** True when a name or a literal address can belong to the public Internet. */
  readonly isPublic: (host: string) => boolean;
  /** PEM texts instead of Node's own certificate authorities. */
  readonly ca?: string;
  /** Default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Prepares connections to an origin over TCP or TLS, for HTTP/1.1 only. */
export function createConnect(target: URL, options: ConnectOptions, network: Network): Connect {
  const { trusted, timeout, proxy } = options;
  const host = toBareHost(target.hostname);
  // Node calls `lookup` for names only and, behind a proxy, only for the proxy's.
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
    return (done, read) => connect(open, destinationOf(target), withReading(read, done));
  }
  return (done, read) => {
    const callback = (length: number): boolean => {
      read?.(page.subarray(0, length), true);
      return true;
    };
    // Undici has this option per connector, not per socket.
    const openReading = read && buildConnector({ ...shared, onread: { buffer: page, callback } });
    connect(openReading ?? open, destinationOf(target), done);
  };
}

/** All connections without TLS read into this buffer: each read is processed before the next starts. */
const page = Buffer.allocUnsafeSlow(65_536);

function connectThroughProxy(
  open: undici.connector,
  target: URL,
  proxy: Proxy,
  timeout: number,
): Connect {
  return (done, read) => {
    const succeed = withReading(read, done);
    connect(open, destinationOf(proxy.url), (socket, failure) => {
      if (socket === null) {
        done(null, createUnreachable(`the proxy cannot be reached: ${failure.detail}`));
        return;
      }
      openTunnel(socket, target, proxy, timeout, (refused) => {
        if (refused !== null) done(null, refused);
        else if (target.protocol === "http:") succeed(socket, null);
        else connect(open, { ...destinationOf(target), httpSocket: socket }, succeed);
      });
    });
  };
}

/** Wraps `done` so that the socket's data events call `read`. */
function withReading(read: Parameters<Connect>[1], done: Opened): Opened {
  return (...result) => {
    const [socket] = result;
    if (read !== undefined) socket?.on("data", (bytes: Buffer) => read(bytes, false));
    done(...result);
  };
}

/** Parses an http or https origin; null for anything else. */
export function parseOrigin(origin: string): URL | null {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/** Writes a URL's hostname as the system's resolver expects it: without brackets or a final dot. */
export function toBareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/(.)\.$/, "$1");
}

export function portOf({ port, protocol }: URL): string {
  if (port !== "") return port;
  return protocol === "https:" ? "443" : "80";
}

/** Describes an error in words of our own: a library's message may contain secrets. */
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

function destinationOf(url: URL): undici.Options {
  const hostname = toBareHost(url.hostname);
  const { host, protocol, port } = url;
  // SNI takes no addresses (RFC 6066 section 3): the certificate is checked against the address.
  return { hostname, host, protocol, port, servername: isIP(hostname) === 0 ? hostname : "" };
}

function connect(opener: undici.connector, destination: undici.Options, done: Opened): void {
  try {
    opener(destination, (error, socket) => {
      // Undici passes undefined where its types say null.
      if (error !== null || socket === null) done(null, failureOf(error));
      else done(socket, null);
    });
  } catch (error) {
    done(null, failureOf(error));
  }
}

/** Thrown for an address that is neither public nor named in the configuration. */
class NotPublic extends Error {
  constructor() {
    super("the address is not public and is not named in the configuration");
  }
}

/**
 * Makes a lookup that fails when a name resolves to any address that is not public. A name with
 * addresses of both kinds is a mistake or an attack, so picking a public one would not be safe. The
 * socket connects to the very addresses that were checked, so a later answer of the name server
 * changes nothing.
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

/** Size limit of a proxy's answer to CONNECT, in bytes: far more than any proxy sends. */
const MAX_TUNNEL_HEAD = 16_384;

/**
 * Asks a proxy for a tunnel (RFC 9110 section 9.3.6). Undici's ProxyAgent is no choice: it turns raw
 * header lists into objects and loses duplicates.
 *
 * @param done called with the failure, or with null once the tunnel is open
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
      if (head.length > MAX_TUNNEL_HEAD) fail("the proxy's answer has no end");
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
