import { networkOf } from "../network-of.ts";
import { isLoopback } from "./admin.ts";
import type { Exchange } from "./exchange.ts";
import { joinedFieldOf, membersOf } from "./headers.ts";
import type { TrustsPeer } from "./public-address.ts";

/**
 * Whose request it is: the peer, or behind `listen.trustProxies` the last address in X-Forwarded-For that is not one of them.
 * What stands before that, anybody could have written. Empty where there is no socket. Limits count by its `networkOf`.
 */
export function clientAddress(
  { peer, headers }: Pick<Exchange, "peer" | "headers">,
  trusts: TrustsPeer,
): string {
  if (peer === null) return "";
  let address = peer.address;
  if (trusts(address)) {
    for (const before of membersOf(joinedFieldOf(headers, "x-forwarded-for")).toReversed()) {
      address = before;
      if (!trusts(address)) break;
    }
  }
  return address.replace(mapped, "$1").slice(0, 64);
}

/**
 * Of whose share of the places an exchange takes one (`limits.inFlightPerClient`). Null: proxies that we trust, and programs on
 * this machine, have no share, for many clients may stand behind them.
 */
export function limitedClient(exchange: Exchange, trusts: TrustsPeer): string | null {
  const address = clientAddress(exchange, trusts);
  return address === "" || isLoopback(address) || trusts(address) ? null : networkOf(address);
}

/** IPv4 as a dual-stack socket shows it. */
const mapped = /^::ffff:([\d.]+)$/i;
