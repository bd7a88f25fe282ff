import type { Exchange } from "../../../gateway/exchange.ts";
import { loadLlhttp, type Llhttp } from "../../../http/llhttp.ts";
import { limits } from "../../server-limits.ts";
import { type BunListen, BunWire, wireHandlers } from "../sockets.ts";
import { type Host, Visit } from "./visit.ts";

/** How often connections are looked at whose time may be up, in milliseconds. */
const checkEvery = 500;

/** A client that ends its side still gets what was written: else Bun closes. */
const halfOpen = { allowHalfOpen: true };

export interface Served {
  readonly hostname: string;
  readonly port: number;
  /** Finishes what is under way. @param limit in milliseconds: then it is broken off */
  stop(limit: number): Promise<void>;
}

/**
 * An HTTP/1 server on Bun's sockets, read by llhttp. Bun's own costs a message a third of all it
 * costs: it makes a `Request` and a `Response` of it, which also lose the order, case and
 * duplicates of fields, the target's bytes and trailers.
 *
 * @param answer answers each exchange; what it throws goes to `onError` and ends that connection
 * @param llhttp where one has been loaded already
 */
export function serveExchanges(
  listen: BunListen,
  place: { readonly hostname: string; readonly port: number },
  answer: (exchange: Exchange) => void,
  onError: (error: unknown) => void,
  llhttp: Llhttp = loadLlhttp(),
): Served {
  const visits = new Map<BunWire, Visit>();
  let draining = false;
  let emptied: (() => void) | null = null;

  const host: Host = {
    get draining() {
      return draining;
    },
    serve(exchange) {
      try {
        answer(exchange);
      } catch (error) {
        onError(error);
        exchange.reply.abort();
      }
    },
    failed: onError,
    gone(wire) {
      visits.delete(wire);
      if (visits.size === 0) emptied?.();
    },
  };

  const listener = listen<BunWire>({
    ...place,
    ...halfOpen,
    socket: {
      ...wireHandlers,
      open(socket) {
        socket.setKeepAlive(true, limits.probeAfter);
        const visit = new Visit(host, llhttp);
        visits.set(BunWire.accepted(socket, visit), visit);
      },
      drain(socket) {
        visits.get(socket.data)?.moved();
        wireHandlers.drain(socket);
      },
      // Only what a handler threw comes here, and Bun leaves the connection open.
      error(socket, error) {
        onError(error);
        socket.terminate();
      },
    },
  });
  const checks = setInterval(() => {
    const now = performance.now();
    for (const visit of visits.values()) visit.check(now);
  }, checkEvery);

  return {
    hostname: listener.hostname,
    port: listener.port,
    async stop(limit) {
      draining = true;
      listener.stop(false);
      const started = performance.now();
      const sweep = setInterval(() => {
        const late = performance.now() - started >= limits.arriving;
        for (const visit of visits.values()) if (visit.isUnused(late)) visit.end();
      }, limits.sweepEvery);
      const end = setTimeout(() => {
        for (const visit of visits.values()) visit.close();
      }, limit);
      if (visits.size > 0) await new Promise<void>((resolve) => (emptied = resolve));
      clearInterval(sweep);
      clearInterval(checks);
      clearTimeout(end);
      listener.stop(true);
    },
  };
}
