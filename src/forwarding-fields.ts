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
