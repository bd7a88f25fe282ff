/**
 * Whose request it is: the peer's, or behind proxies that are trusted the last address in X-Forwarded-For that is not one of
 * them. What stands before that, anybody could have written.
 */
export function addressBehind(
  peer: string,
  forwardedFor: string | null,
  trusts: (address: string) => boolean,
): string {
  let address = peer;
  if (forwardedFor !== null && trusts(address)) {
    const named = forwardedFor.split(",").map((member) => member.trim());
    for (const before of named.filter((member) => member !== "").toReversed()) {
      address = before;
      if (!trusts(address)) break;
    }
  }
  return address.replace(mapped, "$1").slice(0, 64);
}

/** IPv4 as a dual-stack socket shows it. */
const mapped = /^::ffff:([\d.]+)$/i;
