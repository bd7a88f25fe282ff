import type { Receiver, Transport, UpstreamRequest } from "../../gateway/transport.ts";
import { carriedFor } from "../../http/carried.ts";
import { Connections } from "../../http/connections.ts";
import { createDeadlines } from "../../http/deadline.ts";
import { loadLlhttp } from "../../http/llhttp.ts";
import { createConnector, type Connector, type NetworkOptions } from "./connector.ts";
import { createOriginRoutes } from "./origin-routes.ts";
import { proxyFromEnvironment, type Environment } from "./proxy.ts";
import { createNodeWires } from "./wires.ts";

export interface NodeTransportOptions extends NetworkOptions {
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read, once. Default: none of them. */
  readonly env?: Environment;
  /** Milliseconds an unused connection is kept, unless the upstream says less. Default 4000. */
  readonly keepAlive?: number;
}

export interface NodeTransport extends Transport {
  /** Breaks off what is under way and closes all connections. */
  close(): Promise<void>;
}

/**
 * Carries requests over TCP and TLS, HTTP/1.1 only: headers go out and come back as raw lists,
 * bodies as they are, nothing is decoded, redirected or retried. A request whose first byte has
 * left is never sent again. A connection that the upstream closed while it was unused is noticed
 * before anything is written to it.
 *
 * Interim answers (1xx) are dropped. Trailers of a request cannot be sent.
 */
export function createNodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const proxyFor = proxyFromEnvironment(options.env ?? {});
  const routeTo = createOriginRoutes(proxyFor);
  const startDeadline = createDeadlines();
  const llhttp = loadLlhttp();
  const reaches = new Map<number, Reach>();

  const reachFor = (trusted: boolean, connect: number, toProxy: boolean): Reach => {
    const key = connect * 4 + (trusted ? 2 : 0) + (toProxy ? 1 : 0);
    let reach = reaches.get(key);
    if (reach === undefined) {
      const connector = createConnector({
        trusted: trusted || toProxy,
        timeout: connect,
        proxyFor: toProxy ? () => null : proxyFor,
        network: options,
      });
      reach = { connector, origins: new Map() };
      reaches.set(key, reach);
    }
    return reach;
  };

  const originFor = (url: string, { connector, origins }: Reach): Origin => {
    let origin = origins.get(url);
    if (origin === undefined) {
      const address = new URL(url);
      const wires = createNodeWires(connector, address);
      origin = {
        host: address.host,
        connections: new Connections(wires, llhttp, options.keepAlive),
      };
      if (origins.size >= mostOrigins) forgetOldest(origins);
      origins.set(url, origin);
    }
    return origin;
  };

  return {
    send(request, receiver) {
      const { trusted, timeouts } = request;
      const route = routeTo(request.origin, trusted);
      if (route.kind === "refused") return refuse(receiver, "refused", route.detail);
      const { viaProxy, pathPrefix, extraHeaders } = route;
      const origin = originFor(route.origin, reachFor(trusted, timeouts.connect, viaProxy));
      const asked = viaProxy ? proxied(request, pathPrefix, extraHeaders) : request;
      const carried = carriedFor(asked, origin.host, receiver);
      if (carried === null) return refuse(receiver, "unreachable", "not a request of HTTP/1.1");
      carried.deadline = startDeadline(timeouts, carried);
      origin.connections.carry(carried);
      return () => carried.cancel();
    },
    async close() {
      for (const { origins } of reaches.values()) {
        for (const { connections } of origins.values()) connections.close();
      }
      reaches.clear();
    },
  };
}

/**
 * A connection's timeout and guard belong to the connector, so each combination has connections of
 * its own.
 */
interface Reach {
  readonly connector: Connector;
  readonly origins: Map<string, Origin>;
}

interface Origin {
  /** For a request that names none. */
  readonly host: string;
  readonly connections: Connections;
}

/**
 * Origins come from discovery too. What an unused one keeps is a few connections until they close.
 */
const mostOrigins = 1000;

function forgetOldest(origins: Map<string, Origin>): void {
  const [oldest] = origins.keys();
  if (oldest !== undefined) origins.delete(oldest);
}

function refuse(receiver: Receiver, kind: "refused" | "unreachable", detail: string): () => void {
  try {
    receiver.fail({ kind, detail, sent: false });
  } catch {
    // It has been told; what it does with that can't reach the process.
  }
  return () => undefined;
}

/** For a forward proxy (RFC 9112 section 3.2.2). */
function proxied(
  request: UpstreamRequest,
  prefix: string,
  more: readonly string[],
): UpstreamRequest {
  return { ...request, path: prefix + request.path, headers: [...request.headers, ...more] };
}
