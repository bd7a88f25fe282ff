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
  for (const before of membersOf(joinedFieldOf(headers, "x-forwarded-for")).toReversed()) {
    if (!trusts(address)) break;
    address = before;
  }
  return address.replace(mapped, "$1").slice(0, 64);
}

/** IPv4 as a dual-stack socket shows it. */
const mapped = /^::ffff:([\d.]+)$/i;
