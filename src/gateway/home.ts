import { mayRead } from "./admin.ts";
import { parseBase } from "./base.ts";
import type { Arrival, Core } from "./core.ts";
import { notFound, send } from "./own-routes.ts";
import { proxy } from "./proxy.ts";

/**
 * GET /, /desk and /docs: with the embedded upstream the backend's pages. With any other, whoever
 * opens the address on this machine is told what it is; for everybody else there is nothing here.
 */
export function home(core: Core, arrival: Arrival): void | Promise<void> {
  const { exchange, target } = arrival;
  const base = parseBase("embedded:page");
  const embedded = arrival.snapshot.config.upstream.auth.startsWith("embedded:");
  if (target.kind !== "home" || base === null) return notFound(exchange);
  if (!embedded) {
    const isStart = /^\/(?:\?|$)/.test(target.rest) && ["GET", "HEAD"].includes(exchange.method);
    return isStart && mayRead(core.admin, exchange)
      ? send(exchange, 200, "text/plain; charset=utf-8", START)
      : notFound(exchange);
  }
  const destination = { base, trusted: true, rest: target.rest, route: () => "" };
  return proxy(core, arrival, destination, {
    route: "home",
    reserved: false,
    bounded: true,
    interest: null,
  });
}

const START = `Afterword is running. There is no page at this address: it is for clients of the chatbot's API, which use it in place of the vendor's.

/_afterword/health   whether it answers
/_afterword/ready    whether it is ready, and how the vendor's API does
/_afterword/version  what runs
`;
