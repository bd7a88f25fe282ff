import { parseBase } from "./base.ts";
import type { Arrival, Core } from "./core.ts";
import { notFound } from "./own-routes.ts";
import { proxy } from "./proxy.ts";

/** GET / and /desk: with the embedded upstream the backend's pages; with any other there is nothing here. */
export function home(core: Core, arrival: Arrival): void | Promise<void> {
  const { exchange, target } = arrival;
  const base = parseBase("embedded:page");
  const embedded = arrival.snapshot.config.upstream.auth.startsWith("embedded:");
  if (!embedded || base === null || target.kind !== "home") return notFound(exchange);
  const destination = { base, trusted: true, rest: target.rest, route: () => "" };
  return proxy(core, arrival, destination, {
    route: "home",
    reserved: false,
    bounded: true,
    interest: null,
  });
}
