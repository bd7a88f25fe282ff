import { Readable } from "node:stream";
import { Agent, type Dispatcher } from "undici";
import type {
  Receiver,
  Transport,
  TransportError,
  UpstreamRequest,
} from "../../gateway/transport.ts";
import { createConnector, type Connector, type NetworkOptions } from "./connector.ts";
import { startDeadline, type Deadline } from "./deadline.ts";
import { createOriginRoutes } from "./origin-routes.ts";
import { proxyFromEnvironment, type Environment } from "./proxy.ts";
import { adjustHeads, reasonPhrase } from "./status-line.ts";
import { toTransportError } from "./transport-error.ts";
import { latin1Headers, upstreamHeaders } from "./upstream-headers.ts";

export interface NodeTransportOptions extends NetworkOptions {
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read, once. Default: none of them. */
  readonly env?: Environment;
  /** Most connections to one origin. Default: as many as there are exchanges, which the gateway limits. */
  readonly connections?: number;
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
  const agents = new Map<string, ExactAgent>();

  /** A connection's timeout and guard belong to the connector, so each combination has its pools. */
  const agentFor = (trusted: boolean, connect: number, toProxy: boolean): ExactAgent => {
    const key = `${trusted} ${connect} ${toProxy}`;
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
      return exchangeWith(agent, request, receiver, route);
    },
    async close() {
      await Promise.all([...agents.values()].map(({ dispatcher }) => dispatcher.destroy()));
      agents.clear();
    },
  };
}

interface ExactAgent {
  readonly dispatcher: Dispatcher;
  /** Whether reason phrases arrive byte for byte. */
  readonly exact: () => boolean;
}

function createAgent(
  options: NodeTransportOptions,
  connectorOn: (network: NetworkOptions) => Connector,
): ExactAgent {
  const connect = connectorOn(options);
  let exact = true;
  const dispatcher = new Agent({
    connect: (target, callback) =>
      connect(target, (error, socket) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        callback(null, socket);
        if (socket !== null && !socket.destroyed && !adjustHeads(socket)) exact = false;
      }),
    connections: options.connections ?? null,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: options.keepAlive ?? 4000,
    maxHeaderSize: options.maxHeaderSize ?? 65_536,
    // Limits of time are ours: undici's timers are coarse, and per client.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { dispatcher, exact: () => exact };
}

interface Outbound {
  readonly origin: string;
  readonly pathPrefix: string;
  readonly servername: string;
  readonly extraHeaders: readonly string[];
}

function exchangeWith(
  agent: ExactAgent,
  request: UpstreamRequest,
  receiver: Receiver,
  route: Outbound,
): () => void {
  let controller: Dispatcher.DispatchController | null = null;
  let started = false;
  let over = false;
  let paused = false;

  const deadline = startDeadline(request.timeouts, (name) =>
    fail({ kind: "timeout", detail: name, sent: started }, true),
  );
  const finish = (): void => {
    over = true;
    deadline.stop();
  };
  const fail = (error: TransportError, abort: boolean): void => {
    if (over) return;
    finish();
    if (abort) controller?.abort(aborted);
    try {
      receiver.fail(error);
    } catch {
      // The exchange has ended for us; whoever listens has been told.
    }
  };
  /** A fault in the receiver ends this exchange and nothing else. */
  const deliver = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      const name = error instanceof Error ? error.name : "unknown";
      fail({ kind: "broken", detail: `receiver threw ${name}`, sent: started }, true);
    }
  };
  const stream = {
    pause() {
      if (paused || over) return;
      paused = true;
      deadline.pause();
      controller?.pause();
    },
    resume() {
      if (!paused || over) return;
      paused = false;
      deadline.resume();
      // Never inside another connection's parser, where undici's resume() fails an assertion.
      queueMicrotask(() => {
        if (!paused && !over) controller?.resume();
      });
    },
  };

  agent.dispatcher.dispatch(dispatchOptions(request, route, deadline), {
    onRequestStart(control) {
      controller = control;
      // Cancelled while it waited for a connection: nothing is written.
      if (over) control.abort(aborted);
      else started = true;
    },
    onResponseStart(control, status, _headers, reason) {
      if (over || status < 200) return;
      deadline.answered();
      const headers = latin1Headers(control.rawHeaders);
      deliver(() =>
        receiver.head(status, reasonPhrase(reason ?? "", status, agent.exact()), headers, stream),
      );
    },
    onResponseData(_control, chunk) {
      if (over) return;
      deadline.touch();
      deliver(() => receiver.data(chunk));
    },
    onResponseEnd(control) {
      if (over) return;
      finish();
      const trailers = latin1Headers(control.rawTrailers);
      try {
        receiver.end(trailers);
      } catch {
        // As in deliver(), but there is nothing left to end.
      }
    },
    onResponseError(_control, error) {
      fail(toTransportError(error, started), false);
    },
  });

  return () => {
    if (over) return;
    finish();
    controller?.abort(aborted);
  };
}

/** One for all: a stack trace per cancelled exchange would cost more than the exchange. */
const aborted = new Error("the exchange was ended on our side");

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
