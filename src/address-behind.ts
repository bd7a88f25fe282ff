/**
 * Whose request it is: the peer's, or behind proxies that are trusted the last address in
 * X-Forwarded-For that is not one of them. What stands before that, anybody could have written.
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
      address = withoutPort(before);
      if (!trusts(address)) break;
    }
  }
  return address.replace(mapped, "$1").slice(0, 64);
}

/** Some proxies write the port beside the address, IPv6 then in brackets. */
function withoutPort(member: string): string {
  const [, address = member] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(member) ?? /^([\d.]+):\d+$/.exec(member) ?? [];
  return address;
}

/** IPv4 as a dual-stack socket shows it. */
const mapped = /^::ffff:([\d.]+)$/i;
