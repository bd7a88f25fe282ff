import type { UpstreamConfig } from "../config/config.ts";

/**
 * The base address of one product, parsed once: what is dialled, and what stands before every forwarded path.
 * `origin` is `scheme://host[:port]` or `embedded:<product>`; `path` has no trailing slash.
 */
export interface Base {
  readonly address: string;
  readonly origin: string;
  readonly host: string;
  readonly path: string;
}

/** Reads a base address; null for anything that is not one. */
export function parseBase(address: string): Base | null {
  if (address.startsWith("embedded:")) {
    const product = address.slice("embedded:".length);
    return /^[a-z-]+$/.test(product) ? { address, origin: address, host: product, path: "" } : null;
  }
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  // Credentials, queries and fragments have no place in a base: what follows would not mean what it says.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return null;
  return { address, origin: url.origin, host: url.host, path: url.pathname.replace(/\/+$/, "") };
}

/** As {@link parseBase}, for addresses written in the configuration: there are few, and each is parsed once. */
export function parsedBase(address: string): Base | null {
  let base = parsed.get(address);
  if (base === undefined) {
    if (parsed.size >= mostParsed) parsed.clear();
    base = parseBase(address);
    parsed.set(address, base);
  }
  return base;
}

const parsed = new Map<string, Base | null>();
const mostParsed = 1000;

/** The path of a forwarded request: the base's own path, then what the client wrote. */
export function joinPath(base: Base, rest: string): string {
  const path = base.path + rest;
  return path.startsWith("/") ? path : `/${path}`;
}

/** Whether a base may be used, and whether the operator named its host (so that it may be a private address). */
export type Permission = "named" | "public" | "refused";

/**
 * Hosts written in the configuration are named. Else, with `allow` empty, any https address that discovery returned is
 * public; with `allow` present only what it lists. Embedded bases exist only behind an embedded upstream.
 */
export function permissionOf(base: Base, upstream: UpstreamConfig): Permission {
  let known = permissions.get(upstream);
  if (known === undefined) permissions.set(upstream, (known = new Map()));
  let permission = known.get(base.origin);
  if (permission === undefined) {
    if (known.size >= mostParsed) known.clear();
    permission = judge(base, upstream);
    known.set(base.origin, permission);
  }
  return permission;
}

/** A configuration never changes, so what it allows is decided once and goes with it. */
const permissions = new WeakMap<UpstreamConfig, Map<string, Permission>>();

function judge(base: Base, upstream: UpstreamConfig): Permission {
  if (base.origin.startsWith("embedded:")) {
    return upstream.auth.startsWith("embedded:") ? "named" : "refused";
  }
  const { hostname, host, protocol } = new URL(base.origin);
  if (configuredHosts(upstream).has(host)) return "named";
  if (upstream.allow.some((entry) => allows(entry, hostname))) return "named";
  return upstream.allow.length === 0 && protocol === "https:" ? "public" : "refused";
}

const hostsOf = new WeakMap<UpstreamConfig, ReadonlySet<string>>();

function configuredHosts(upstream: UpstreamConfig): ReadonlySet<string> {
  const known = hostsOf.get(upstream);
  if (known !== undefined) return known;
  const addresses = [upstream.auth, upstream.chat ?? "", ...Object.values(upstream.apis)];
  const hosts = new Set(addresses.filter((a) => URL.canParse(a)).map((a) => new URL(a).host));
  hosts.delete("");
  hostsOf.set(upstream, hosts);
  return hosts;
}

function allows(entry: string, hostname: string): boolean {
  const wanted = entry.toLowerCase();
  return wanted.startsWith(".")
    ? hostname.length > wanted.length && hostname.endsWith(wanted)
    : hostname === wanted;
}
