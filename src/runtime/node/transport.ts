import { Readable } from "node:stream";
import type { Client, Dispatcher } from "undici";
import UndiciClient from "undici/lib/dispatcher/client.js";
import type { Transport, UpstreamRequest } from "../../gateway/transport.ts";
import { createClientPool, type ClientPool } from "./client-pool.ts";
import { createConnector, type Connector, type NetworkOptions } from "./connector.ts";
import { createDeadlines, type Deadline } from "./deadline.ts";
import { createOriginRoutes } from "./origin-routes.ts";
import { proxyFromEnvironment, type Environment } from "./proxy.ts";
import { adjustHeads } from "./status-line.ts";
import { type ExactAgent, UpstreamExchange } from "./upstream-exchange.ts";
import { upstreamHeaders } from "./upstream-headers.ts";

export interface NodeTransportOptions extends NetworkOptions {
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read, once. Default: none of them. */
  readonly env?: Environment;
  /** Milliseconds an unused connection is kept, unless the upstream says less. Default 4000. */
  readonly keepAlive?: number;
  /** Largest head of an answer, in bytes. Default 65536. */
  readonly maxHeaderSize?: number;
}

export interface NodeTransport extends Transport {
  /** Breaks off what is under way and closes all connections. */
  close(): Promise<void>;
}

/**
 * Carries requests over TCP and TLS with undici's `dispatch`, HTTP/1.1 only: headers go out and come back as raw lists,
 * bodies as they are, nothing is decoded, redirected or retried. A request whose first byte has left is never sent again.
 * A connection that the upstream closed while it was unused is noticed before anything is written to it.
 *
 * Interim answers (1xx) are dropped. Trailers of a request cannot be sent.
 */
export function createNodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const proxyFor = proxyFromEnvironment(options.env ?? {});
  const routeTo = createOriginRoutes(proxyFor);
  const startDeadline = createDeadlines();
  const agents = new Map<number, ExactAgent>();

  /** A connection's timeout and guard belong to the connector, so each combination has its pools. */
  const agentFor = (trusted: boolean, connect: number, toProxy: boolean): ExactAgent => {
    const key = connect * 4 + (trusted ? 2 : 0) + (toProxy ? 1 : 0);
    let agent = agents.get(key);
    if (agent === undefined) {
      agent = createAgent(options, (network) =>
        createConnector({
          trusted: trusted || toProxy,
          timeout: connect,
          proxyFor: toProxy ? () => null : proxyFor,
          network,
        }),
      );
      agents.set(key, agent);
    }
    return agent;
  };

  return {
    send(request, receiver) {
      const route = routeTo(request.origin, request.trusted);
      if (route.kind === "refused") {
        receiver.fail({ kind: "refused", detail: route.detail, sent: false });
        return () => undefined;
      }
      const agent = agentFor(request.trusted, request.timeouts.connect, route.viaProxy);
      const exchange = new UpstreamExchange(agent, route.origin, receiver, startDeadline, request);
      exchange.client.dispatch(dispatchOptions(request, route, exchange.deadline), exchange);
      return () => exchange.cancel();
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

/** Origins come from discovery too. What an unused one keeps is a few connections until they close. */
const mostOrigins = 1000;

function createAgent(
  options: NodeTransportOptions,
  connectorOn: (network: NetworkOptions) => Connector,
): ExactAgent {
  const connect = connectorOn(options);
  let exact = true;
  const pools = new Map<string, ClientPool>();
  const clientOptions: Client.Options = {
    connect: (target: Parameters<Connector>[0], callback: Parameters<Connector>[1]) =>
      connect(target, (error, socket) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        callback(null, socket);
        if (socket !== null && !socket.destroyed && !adjustHeads(socket)) exact = false;
      }),
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: options.keepAlive ?? 4000,
    maxHeaderSize: options.maxHeaderSize ?? 65_536,
    // Limits of time are ours: undici's timers are coarse, and per client.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return {
    poolOf(origin) {
      let pool = pools.get(origin);
      if (pool === undefined) {
        const create = (): Client => new UndiciClient(origin, clientOptions);
        if (pools.size >= mostOrigins) forgetOldest();
        pool = createClientPool(create);
        pools.set(origin, pool);
      }
      return pool;
    },
    exact: () => exact,
    async destroy() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };

  function forgetOldest(): void {
    const [oldest] = pools;
    if (oldest === undefined) return;
    pools.delete(oldest[0]);
    oldest[1].close();
  }
}

interface Outbound {
  readonly origin: string;
  readonly pathPrefix: string;
  readonly servername: string;
  readonly extraHeaders: readonly string[];
}

function dispatchOptions(
  request: UpstreamRequest,
  route: Outbound,
  deadline: Deadline,
): Dispatcher.DispatchOptions {
  const { body } = request;
  const streamed = body !== null && !(body instanceof Uint8Array);
  const headers = upstreamHeaders(request.headers, streamed);
  if (route.extraHeaders.length > 0) headers.push(...route.extraHeaders);
  const options = {
    origin: route.origin,
    path: route.pathPrefix + request.path,
    method: request.method,
    headers,
    body: streamed ? Readable.from(noted(body, deadline), byteStream) : body,
    // Only an idempotent request may share a connection with another; with one at a time it says nothing else.
    idempotent: false,
    servername: route.servername,
  };
  return options;
}

const byteStream = { objectMode: false, highWaterMark: 65_536 } as const;

async function* noted(
  body: AsyncIterable<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    deadline.touch();
    yield chunk;
  }
}
