import type { Exchange } from "../exchange.ts";
import { joinedFieldOf, membersOf } from "../headers.ts";
import type { TrustsPeer } from "../public-address.ts";

/**
 * Whose request it is: the peer, or behind `listen.trustProxies` the last address in X-Forwarded-For that is not one of them.
 * What stands before that, anybody could have written. Empty where there is no socket.
 */
export function clientAddress({ peer, headers }: Exchange, trusts: TrustsPeer): string {
  if (peer === null) return "";
  let address = peer.address;
  for (const before of membersOf(joinedFieldOf(headers, "x-forwarded-for")).toReversed()) {
    if (!trusts(address)) break;
    address = before;
  }
  return network(address);
}

/** One client has a whole /64 of IPv6 addresses, and would else have as many rates. */
function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, "").slice(0, 64);
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.replace(/%.*$/, "").split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, "").toLowerCase())
    .join(":");
}
