import { account } from "./accounting.ts";
import type { Ticket } from "./admission.ts";
import type { Arrival, Core, Destination } from "./core.ts";
import { Errand, type Manner } from "./errand.ts";
import { refuse } from "./errors.ts";
import { retrySoon } from "./forward.ts";

/**
 * Forwards one request as its route wants it. What goes wrong later than this returns ends the exchange and nothing else; the
 * promise is that of a place in the queue.
 */
export function proxy(
  core: Core,
  arrival: Arrival,
  to: Destination,
  manner: Manner,
): void | Promise<void> {
  const { exchange, snapshot } = arrival;
  const limit = snapshot.config.limits.requestBytes;
  if ((exchange.body?.length ?? 0) > limit) {
    refuse(exchange, 413, `The request body is larger than ${limit} bytes.`, [
      "Connection",
      "close",
    ]);
    return account(core, arrival, manner.route, 413);
  }
  const entering = core.admission.enter(manner.reserved);
  return entering instanceof Promise
    ? entering.then((ticket) => begin(core, arrival, to, manner, ticket))
    : begin(core, arrival, to, manner, entering);
}

function begin(
  core: Core,
  arrival: Arrival,
  to: Destination,
  manner: Manner,
  ticket: Ticket | null,
): void {
  if (ticket !== null) return new Errand(core, arrival, to, manner, ticket).start();
  core.metrics.count("afterword_overload_total");
  refuse(arrival.exchange, 503, "Too much is under way. Try again in a second.", retrySoon);
  account(core, arrival, manner.route, 503);
}
