/** The client of a request. */
export interface Client {
  /** Empty where there is no socket. */
  readonly address: string;
  /**
   * The key under which limits count the client (`limits.inFlightPerClient`, `limits.heldBytes`).
   * Null if nothing is counted, because many clients may share the address: a trusted proxy's, or
   * this machine's.
   */
  readonly share: string | null;
}

/** A client whose address is unknown. */
export const unknownClient: Client = { address: "", share: null };

/** Identifies the client of a connection by {@link addressBehind}. */
export function clientBehind(
  peer: string,
  forwardedFor: string | null,
  trusts: (address: string) => boolean,
): Client {
  const address = addressBehind(peer, forwardedFor, trusts);
  return { address, share: trusts(address) ? null : findLimitedNetwork(address) };
}

/** Returns the peer's address or, behind trusted proxies, the last untrusted one of X-Forwarded-For. */
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

/** Removes the port that some proxies write after the address; IPv6 is in brackets then. */
function withoutPort(member: string): string {
  const [, address = member] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(member) ?? /^([\d.]+):\d+$/.exec(member) ?? [];
  return address;
}

/** An IPv4 address as a dual-stack socket reports it. */
const mapped = /^::ffff:([\d.]+)$/i;

/** The network that limits count an address by. One client owns a whole IPv6 /64. */
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

/** The key under which limits count an address; null for this machine's, which many clients may share. */
export function findLimitedNetwork(address: string): string | null {
  return address === "" || isLoopback(address) ? null : networkOf(address);
}

/** True for 127.0.0.0/8, ::1 and their mapped spelling. */
export function isLoopback(address: string): boolean {
  const isCandidate = address.startsWith("127.") || address.startsWith("::");
  return isCandidate && /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i.test(address);
}

/**
 * True for a field in which a proxy, a load balancer or a CDN describes its client. A request with
 * such a field was forwarded, even if the connection comes from this machine. Admin routes and demo
 * credentials share this list.
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
    // The names that nginx, Apache, Envoy, HAProxy and clouds use for a client's address.
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
