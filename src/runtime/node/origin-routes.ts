import { isIP } from "node:net";
import { bareHost, type ProxyChoice } from "./proxy.ts";
import { isPublicAddress } from "./public-address.ts";

/** How an origin is reached. */
export type OriginRoute =
  | {
      readonly kind: "open";
      /** Where to connect: the origin, or the proxy that takes plain http for it. */
      readonly origin: string;
      readonly viaProxy: boolean;
      /** Goes before the path: a proxy gets absolute-form targets (RFC 9112, 3.2.2). */
      readonly pathPrefix: string;
      readonly extraHeaders: readonly string[];
    }
  | { readonly kind: "refused"; readonly detail: string };

/** Answers are kept, so that the hot path parses no URL. */
export function createOriginRoutes(
  proxyFor: ProxyChoice,
): (origin: string, trusted: boolean) => OriginRoute {
  const trustedRoutes = new Map<string, OriginRoute>();
  const guardedRoutes = new Map<string, OriginRoute>();
  return (origin, trusted) => {
    const routes = trusted ? trustedRoutes : guardedRoutes;
    let route = routes.get(origin);
    if (route === undefined) {
      if (routes.size >= maxRoutes) routes.clear();
      route = routeTo(origin, trusted, proxyFor);
      routes.set(origin, route);
    }
    return route;
  };
}

const maxRoutes = 1000;

function routeTo(origin: string, trusted: boolean, proxyFor: ProxyChoice): OriginRoute {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { kind: "refused", detail: "not an http or https origin" };
  }
  // URL parsing has made 0x7f.1, 2130706433 and the like the addresses they are.
  const host = bareHost(url.hostname);
  if (!trusted && isIP(host) !== 0 && !isPublicAddress(host)) {
    return { kind: "refused", detail: "the address is not public" };
  }
  const proxy = url.protocol === "http:" ? proxyFor(url) : null;
  if (proxy === null) {
    return {
      kind: "open",
      origin: url.origin,
      viaProxy: false,
      pathPrefix: "",
      extraHeaders: [],
    };
  }
  if (!trusted && isInternalName(host)) {
    return { kind: "refused", detail: "the name is not public" };
  }
  return {
    kind: "open",
    origin: proxy.url.origin,
    viaProxy: true,
    pathPrefix: url.origin,
    extraHeaders: proxy.authorization === null ? [] : ["Proxy-Authorization", proxy.authorization],
  };
}

/**
 * What can be said of a name without resolving it. Behind a proxy it is the proxy that resolves,
 * and its operator who decides about names; we refuse those that can only mean something inside.
 */
export function isInternalName(host: string): boolean {
  return !host.includes(".") || /\.(?:localhost|local|internal|home\.arpa)$/i.test(host);
}
