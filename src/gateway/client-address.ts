import { addressBehind, limitedNetwork } from "../client-address.ts";
import type { Exchange } from "./exchange.ts";
import { joinedFieldOf } from "./headers.ts";
import type { TrustsPeer } from "./public-address.ts";

/**
 * The client's address: the peer's, or behind `listen.trustProxies` the one in X-Forwarded-For.
 * Empty where there is no socket. Limits count by its `networkOf`.
 */
export function clientAddress(
  { peer, headers }: Pick<Exchange, "peer" | "headers">,
  trusts: TrustsPeer,
): string {
  return peer === null
    ? ""
    : addressBehind(peer.address, joinedFieldOf(headers, "x-forwarded-for"), trusts);
}

/**
 * The client whose share of the places (`limits.inFlightPerClient`) and of `limits.heldBytes` an
 * exchange uses. Null for trusted proxies and for programs on this machine: many clients may stand
 * behind them, so they have no share.
 */
export function limitedClient(
  exchange: Pick<Exchange, "peer" | "headers">,
  trusts: TrustsPeer,
): string | null {
  const address = clientAddress(exchange, trusts);
  return trusts(address) ? null : limitedNetwork(address);
}
