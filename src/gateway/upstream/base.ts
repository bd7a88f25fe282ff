import { isPublicHost } from "../../api/call/public-host.ts";
import type { UpstreamConfig } from "../../config/config.ts";
import { dropTrailing } from "../../text.ts";

/**
 * The base address of one product, parsed once: what is dialled, and what stands before every
 * forwarded path. `origin` is `scheme://host[:port]` or `embedded:<product>`; `path` has no
 * trailing slash.
 */
export interface Base {
  readonly address: string;
  readonly origin: string;
  readonly host: string;
  readonly path: string;
}

/** Characters of a base address; discovery's come from outside, and longer ones have no use. */
export const LONGEST_ADDRESS = 2048;

/** Parses a base address; null for anything else, or longer than addresses in use. */
export function parseBase(address: string): Base | null {
  if (address.length > LONGEST_ADDRESS) return null;
  if (address.startsWith("embedded:")) {
    const product = address.slice("embedded:".length);
    return /^[a-z-]+$/.test(product)
      ? { address, origin: address, host: "localhost", path: "" }
      : null;
  }
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null;
  if (url === null) return null;
  // Credentials, queries and fragments are refused in a base, because they would change the rest of
  // the address.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return null;
  return { address, origin: url.origin, host: url.host, path: dropTrailing(url.pathname, "/") };
}

/**
 * The end of a base's path from its last slash on, or nothing. A route to it ends in the same way,
 * so that relative paths resolve against the route as against the base (RFC 3986 section 5.2).
 *
 * @example
 * lastSegmentOf(parseBase("https://api.example/prod/chatbot")); // "/chatbot"
 */
export function lastSegmentOf({ origin, path }: Base): string {
  const [, product] = origin.split("embedded:");
  return product === undefined ? path.slice(Math.max(0, path.lastIndexOf("/"))) : `/${product}`;
}

/** The path of a forwarded request: the base's own path, then what the client wrote. */
export function joinPath(base: Base, rest: string): string {
  const path = base.path + rest;
  return path.startsWith("/") ? path : `/${path}`;
}

/** named: configured by host, may be private. public: https to public addresses only. */
export type Permission = "named" | "public" | "refused";

/**
 * Says whether a base may be called. Hosts written in the configuration are named, and so are those
 * that `allow` lists exactly; plain http only where the configuration wrote `http:` for that host.
 * Anybody may control a name below a suffix, so `allow: [.suffix]` makes it public, as an empty list
 * does with every https address that discovery returned. Embedded bases exist only behind an
 * embedded upstream.
 */
export function permissionOf(base: Base, upstream: UpstreamConfig): Permission {
  // Cached, because signed routes need it with every request, and parsing the configuration's
  // addresses takes time.
  let known = permissions.get(upstream);
  if (known === undefined) permissions.set(upstream, (known = new WeakMap()));
  let permission = known.get(base);
  if (permission === undefined) known.set(base, (permission = judge(base, upstream)));
  return permission;
}

const permissions = new WeakMap<UpstreamConfig, WeakMap<Base, Permission>>();

function judge(base: Base, upstream: UpstreamConfig): Permission {
  if (base.origin.startsWith("embedded:")) {
    return upstream.auth.startsWith("embedded:") ? "named" : "refused";
  }
  const asked = new URL(base.origin);
  if (isNamed(asked, upstream)) return "named";
  const { allow } = upstream;
  const isCovered =
    allow.length === 0 || allow.some((entry) => isBelow(asked.hostname, entry.toLowerCase()));
  const isUsable = asked.protocol === "https:" && !isPrivateLiteral(asked.hostname);
  return isCovered && isUsable ? "public" : "refused";
}

/** An address that can be judged before a connection is made. `URL` has made `0x7f.1` `127.0.0.1`. */
function isPrivateLiteral(hostname: string): boolean {
  const isLiteral = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  return (isLiteral || /(?:^|\.)localhost\.?$/.test(hostname)) && !isPublicHost(hostname);
}

function isNamed({ host, hostname, protocol }: URL, upstream: UpstreamConfig): boolean {
  const written = [upstream.auth, upstream.chat ?? "", ...Object.values(upstream.apis)]
    .map((address) => URL.parse(address))
    .filter((url) => url !== null);
  const isListed = upstream.allow.some((entry) => entry.toLowerCase() === hostname);
  if (protocol === "https:") return isListed || written.some((url) => url.host === host);
  return written.some(
    (url) =>
      url.protocol === protocol && (isListed ? url.hostname === hostname : url.host === host),
  );
}

function isBelow(hostname: string, suffix: string): boolean {
  return suffix.startsWith(".") && hostname.length > suffix.length && hostname.endsWith(suffix);
}

/** Describes the setting that would permit a refused base. */
export function describePermissionCure(base: Base): string {
  if (base.origin.startsWith("http:")) {
    return `name "${base.origin}${base.path}" under upstream.apis, with its product (chatbot, knowledge, ticketing or chat) as the key: plain http goes to addresses of the configuration only`;
  }
  const host = base.origin.startsWith("embedded:") ? base.origin : new URL(base.origin).hostname;
  return `add "${host}" to upstream.allow to route it through the gateway; a suffix allows public addresses only`;
}
