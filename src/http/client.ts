import { LRUCache } from "lru-cache";
import {
  toBareHost,
  type ConnectOptions,
  createConnect,
  type Network,
  parseOrigin,
} from "./connect.ts";
import { loadLlhttp } from "./llhttp.ts";
import { Pool } from "./pool.ts";
import { createPendingRequest } from "./request.ts";
import type { AnswerReceiver, Failure, HttpRequest, RawHeaders } from "./types.ts";

export interface HttpClientOptions extends Network {
  /** Milliseconds an unused connection is kept, unless the upstream says less; 0: each request has one of its own. Default 4000. */
  readonly keepAlive?: number | undefined;
  /** Turns the error of a request's body into the failure of its request. */
  readonly toUploadFailure: (error: unknown) => Failure;
}

export interface HttpClient {
  /** Never throws. @returns cancels: the receiver is not called any more */
  send(request: HttpRequest, receiver: AnswerReceiver): () => void;
  /** Breaks off what is under way and closes all connections. */
  close(): void;
}

/**
 * Sends requests over connections of its own, which are used again. Headers go out and come back as
 * raw lists, bodies as they are: nothing is decoded, redirected or repeated. A request whose first
 * byte has left is never sent again. Interim answers (1xx) are dropped; a request has no trailers.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const llhttp = loadLlhttp();
  // Origins come from discovery too, so that there may be many. The connections of a route that is
  // dropped close when they have been unused for long enough.
  const routes = new LRUCache<string, Route>({ max: 1000 });

  const findRoute = ({ origin, trusted, timeouts: { connect } }: HttpRequest): Route => {
    const key = `${origin} ${connect} ${trusted}`;
    const known = routes.get(key);
    if (known !== undefined) return known;
    const route = createRoute(origin, trusted, connect);
    routes.set(key, route);
    return route;
  };

  const createRoute = (origin: string, trusted: boolean, timeout: number): Route => {
    const target = parseOrigin(origin);
    if (target === null) return noOrigin;
    const { host } = target;
    const proxy = options.proxyFor(target);
    const createPool = (to: URL, how: ConnectOptions): Pool =>
      new Pool({ ...options, connect: createConnect(to, how, options), llhttp });
    if (proxy === null || target.protocol === "https:") {
      const pool = createPool(target, { trusted, timeout, proxy });
      return { pool, host, pathPrefix: "", moreHeaders: [] };
    }
    if (!trusted && !options.isPublic(toBareHost(target.hostname))) return notPublic;
    const pool = createPool(proxy.url, { trusted: true, timeout, proxy: null });
    const { authorization } = proxy;
    const moreHeaders = authorization === null ? [] : ["Proxy-Authorization", authorization];
    return { pool, host, pathPrefix: target.origin, moreHeaders };
  };

  return {
    send(request, receiver) {
      const route = findRoute(request);
      if ("kind" in route) return refuse(receiver, route);
      const { pool, host, pathPrefix, moreHeaders } = route;
      const headers =
        moreHeaders.length > 0 ? [...request.headers, ...moreHeaders] : request.headers;
      const pending = createPendingRequest(
        request,
        pathPrefix + request.path,
        headers,
        host,
        receiver,
      );
      if (pending === null) return refuse(receiver, notHttp);
      pool.send(pending);
      return () => pending.cancel();
    },
    close() {
      for (const route of routes.values()) if ("pool" in route) route.pool.close();
      routes.clear();
    },
  };
}

/** How an origin is reached. */
type Route =
  | {
      readonly pool: Pool;
      /** For a request that names none. */
      readonly host: string;
      /** A proxy gets targets in absolute-form (RFC 9112 section 3.2.2). */
      readonly pathPrefix: string;
      readonly moreHeaders: RawHeaders;
    }
  | Failure;

const noOrigin: Failure = { kind: "refused", detail: "not an http or https origin", sent: false };
const notPublic: Failure = { kind: "refused", detail: "the name is not public", sent: false };
const notHttp: Failure = { kind: "unreachable", detail: "not a request of HTTP/1.1", sent: false };

function refuse(receiver: AnswerReceiver, failure: Failure): () => void {
  try {
    receiver.fail(failure);
  } catch {
    // An exception of the receiver must not end the process.
  }
  return () => undefined;
}
