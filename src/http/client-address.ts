/** The client of a request. */
export interface Client {
  /** Empty where there is no socket. */
  readonly address: string;
  /**
   * By what limits count it (`limits.inFlightPerClient`, `limits.heldBytes`). Null: it has no share
   * of its own, because many clients may stand behind it: a trusted proxy, or a program on this
   * machine.
   */
  readonly share: string | null;
}

/** A client of whom nothing is known. */
export const unknownClient: Client = { address: "", share: null };

/** The client at, or behind, the other end of a connection: see {@link addressBehind}. */
export function clientBehind(
  peer: string,
  forwardedFor: string | null,
  trusts: (address: string) => boolean,
): Client {
  const address = addressBehind(peer, forwardedFor, trusts);
  return { address, share: trusts(address) ? null : findLimitedNetwork(address) };
}

/** The peer, or behind trusted proxies the last untrusted address of X-Forwarded-For. */
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
  return (address.startsWith("::") ? address.replace(mapped, "$1") : address).slice(0, 64);
}

/** Some proxies write the port beside the address, IPv6 then in brackets. */
function withoutPort(member: string): string {
  const [, address = member] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(member) ?? /^([\d.]+):\d+$/.exec(member) ?? [];
  return address;
}

/** IPv4 as a dual-stack socket shows it. */
const mapped = /^::ffff:([\d.]+)$/i;

/** An address as limits count it: an IPv6 address by its /64, because one client has all of it. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.replace(/%.*$/s, "").split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(.)/, "$1").toLowerCase())
    .join(":");
}

/** The key of a client's share; null for this machine, where many clients may stand behind one. */
export function findLimitedNetwork(address: string): string | null {
  return address === "" || isLoopback(address) ? null : networkOf(address);
}

/** True for 127.0.0.0/8, ::1 and their mapped spelling. */
export function isLoopback(address: string): boolean {
  const may = address.startsWith("127.") || address.startsWith("::");
  return may && /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i.test(address);
}

/**
 * True for a field in which a proxy, a load balancer or a CDN speaks of the client behind it. A
 * request that has one comes from elsewhere, even if its connection comes from this machine. The
 * one list for admin routes and demo credentials.
 *
 * @param name in any case
 */
export function isForwardingField(name: string): boolean {
  return forwarding.test(name);
}

const forwarding = new RegExp(
  `^(?:${[
    "forwarded",
    "via",
    "x-forwarded(?:-.*)?",
    "x-original-.*",
    "cdn-loop",
    // Addresses of clients, in what nginx, Apache, Envoy, HAProxy and clouds call them.
    "(?:x-)?(?:real|client|cluster-client|remote|originating|proxyuser|proxy-user)-(?:ip|addr)",
    "(?:wl-)?proxy-client-ip",
    "true-client-ip",
    "do-connecting-ip",
    "incap-client-ip",
    "(?:x-)?akamai-.*",
    "x-sucuri-.*",
    "x-nginx-proxy",
    "fastly-.*",
    "fly-.*",
    "cf-.*",
    "x-amz-cf-.*",
    "x-amzn-.*",
    "x-appengine-.*",
    "x-arr-.*",
    "x-azure-.*",
    "x-envoy-.*",
    "x-nf-.*",
    "x-varnish",
    "x-vercel-.*",
  ].join("|")})$`,
  "i",
);
