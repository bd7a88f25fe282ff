import { isIP, type LookupFunction, type OnReadOpts, type Socket } from "node:net";
import type { buildConnector as undiciConnector } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import { AfterwordError } from "../../errors.ts";
import { createGuardedLookup, refusal } from "./guarded-lookup.ts";
import { isInternalName } from "./origin-routes.ts";
import { bareHost, defaultPort, type Proxy, type ProxyChoice } from "./proxy.ts";
import { connectThroughProxy } from "./proxy-tunnel.ts";
import { isPublicAddress } from "./public-address.ts";

export type Connector = (asked: Asked, callback: undiciConnector.Callback) => void;

export interface Asked extends undiciConnector.Options {
  /**
   * Where what comes is read to, for `http:` without a proxy: the socket then has no `data` events.
   */
  readonly onread?: OnReadOpts;
}

export interface ConnectorOptions {
  /** False: only public addresses, after resolution. */
  readonly trusted: boolean;
  /** Milliseconds until a connection must stand, TLS included; 0 is none. */
  readonly timeout: number;
  /** Which proxy leads to an address; the connector then asks it for a tunnel (CONNECT). */
  readonly proxyFor: ProxyChoice;
  readonly network: NetworkOptions;
}

export interface NetworkOptions {
  /**
   * PEM texts of certificate authorities instead of Node's own list (which NODE_EXTRA_CA_CERTS
   * extends).
   */
  readonly ca?: string;
  /** Default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/**
 * Opens TCP or TLS connections, HTTP/1.1 only. Fails with `upstream-refused` for an address we may
 * not connect to.
 */
export function createConnector(options: ConnectorOptions): Connector {
  const { trusted, timeout, proxyFor, network } = options;
  const shared = {
    allowH2: false,
    timeout,
    ...(network.ca === undefined ? {} : { ca: network.ca }),
  };
  const own = network.lookup === undefined ? {} : { lookup: network.lookup };
  const open = buildConnector({ ...shared, ...own });
  const guard = { lookup: createGuardedLookup(network.lookup) };
  const direct = trusted ? open : buildConnector({ ...shared, ...guard });

  return ({ onread, ...asked }, callback) => {
    const host = bareHost(asked.hostname);
    // An address is no SNI name (RFC 6066, 3); the certificate is then checked against the address
    // itself.
    const target = isIP(asked.servername ?? "") === 0 ? asked : { ...asked, servername: "" };
    const proxy = proxyFor(urlOf(target.protocol, host, target.port));
    if (!trusted && isClosedHost(host, proxy)) {
      queueMicrotask(() => callback(refusal(), null));
      return;
    }
    if (proxy === null) {
      // Such an option is undici's for all of a connector's sockets.
      if (onread === undefined) direct(target, callback);
      else buildConnector({ ...shared, ...(trusted ? own : guard), onread })(target, callback);
      return;
    }
    const port = target.port === "" ? defaultPort(target.protocol) : target.port;
    const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    connectThroughProxy({ proxy, authority, timeout, connect: open }, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (target.protocol === "https:") open({ ...target, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}

/** As {@link Connector}, as a promise, for one address. */
export function connectTo(connector: Connector, target: URL): Promise<Socket> {
  const hostname = bareHost(target.hostname);
  const { host, protocol, port } = target;
  return new Promise((resolve, reject) => {
    connector({ hostname, host, protocol, port, servername: hostname }, (error, socket) => {
      if (error !== null) reject(error);
      else if (socket === null) reject(new AfterwordError("internal", "no socket and no error"));
      else resolve(socket);
    });
  });
}

/** Literals never reach `lookup`. */
function isClosedHost(host: string, proxy: Proxy | null): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return proxy !== null && isInternalName(host);
}

function urlOf(protocol: string, host: string, port: string): URL {
  return new URL(
    `${protocol}//${isIP(host) === 6 ? `[${host}]` : host}${port === "" ? "" : `:${port}`}`,
  );
}
