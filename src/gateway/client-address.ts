import { addressBehind } from "../address-behind.ts";
import { limitedNetwork } from "../network-of.ts";
import type { Exchange } from "./exchange.ts";
import { joinedFieldOf } from "./headers.ts";
import type { TrustsPeer } from "./public-address.ts";

/**
 * Whose request it is, as `listen.trustProxies` has it. Empty where there is no socket. Limits count by its `networkOf`.
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
 * Of whose share of the places (`limits.inFlightPerClient`) and of `limits.heldBytes` an exchange takes. Null: proxies that we trust, and programs on
 * this machine, have no share, for many clients may stand behind them.
 */
export function limitedClient(
  exchange: Pick<Exchange, "peer" | "headers">,
  trusts: TrustsPeer,
): string | null {
  const address = clientAddress(exchange, trusts);
  return trusts(address) ? null : limitedNetwork(address);
}
