import type { Transport, UpstreamRequest } from "../../gateway/transport.ts";
import { carriedFor } from "../../http/carried.ts";
import { Connections } from "../../http/connections.ts";
import { createDeadlines } from "../../http/deadline.ts";
import { loadLlhttp, type Llhttp } from "../../http/llhttp.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import { bunSockets, createBunWires } from "./sockets.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Carries requests. One to an address that the configuration names goes over a connection of our
 * own: Bun's `fetch` works on a thread of its own, and the way there and back costs more than the
 * request. All others go with `fetch`, told to leave content codings alone, as on every runtime
 * with one; so do all where a proxy is set in `env`.
 *
 * @param shared where one has been loaded already
 */
export function createBunTransport(env: Env = {}, shared: Llhttp | null = null): Transport {
  const usual = createFetchTransport({
    decodes: false,
    fetch: (url, init) => fetch(url, plain(init)),
  });
  const sockets = proxyNames.some((name) => env[name]) ? null : bunSockets();
  if (sockets === null) return usual;
  const llhttp = shared ?? loadLlhttp();
  const startDeadline = createDeadlines();
  const origins = new Map<string, Origin>();
  const limitsOf = createLimits();

  const originOf = (request: UpstreamRequest): Origin | null => {
    const known = origins.get(request.origin);
    if (known !== undefined) return known;
    const address = origins.size < mostOrigins ? addressOf(request.origin) : null;
    if (address === null) return null;
    const open = createBunWires(sockets.connect, address);
    const origin = { host: address.host, connections: new Connections(open, llhttp) };
    origins.set(request.origin, origin);
    return origin;
  };

  return {
    send(request, receiver) {
      const origin = request.trusted ? originOf(request) : null;
      const carried = origin === null ? null : carriedFor(request, origin.host, receiver);
      if (origin === null || carried === null) return usual.send(request, receiver);
      carried.deadline = startDeadline(limitsOf(request.timeouts), carried);
      origin.connections.carry(carried);
      return () => carried.cancel();
    },
  };
}

interface Origin {
  /** For a request that names none. */
  readonly host: string;
  readonly connections: Connections;
}

/** Bun's `fetch` heeds them. */
const proxyNames = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];

type Timeouts = UpstreamRequest["timeouts"];

/** Until the head there is the time for connecting and for waiting. */
function createLimits(): (timeouts: Timeouts) => Timeouts {
  const known = new WeakMap<Timeouts, Timeouts>();
  return (timeouts) => {
    const seen = known.get(timeouts);
    if (seen !== undefined) return seen;
    const { connect, headers } = timeouts;
    const limits = { ...timeouts, headers: headers === 0 ? 0 : connect + headers };
    known.set(timeouts, limits);
    return limits;
  };
}

/** Bun's own option, which the type of `fetch` does not know. */
function plain(init: RequestInit): RequestInit {
  const given = { ...init, decompress: false };
  return given;
}

function addressOf(origin: string): URL | null {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return null;
  const url = new URL(origin);
  return url.origin === origin ? url : null;
}

const mostOrigins = 1000;
