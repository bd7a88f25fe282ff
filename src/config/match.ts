import type { Config, InstanceConfig } from "./config.ts";
import { withoutTrailing } from "../without-trailing.ts";

/** What of a request decides which instance it belongs to. */
export interface MatchRequest {
  /** Value of the API-key header; null without one. */
  readonly apiKey: string | null;
  /** Value of Host or :authority, with its port if it has one; null without one. */
  readonly host: string | null;
  /** Raw path of the request-target; a query is ignored. */
  readonly path: string;
}

/**
 * The first instance whose every `match` field fits, or null. Keys are compared exactly, hosts
 * without letter case and (unless the rule names one) without port, path prefixes at segment
 * boundaries.
 *
 * @example
 * matchInstance(config, { apiKey: "demo-key", host: "127.0.0.1:8787", path: "/v1/conversation"
 * })?.name; // "shop"
 */
export function matchInstance(config: Config, request: MatchRequest): InstanceConfig | null {
  return matchInstances(config, request)[0] ?? null;
}

/** All instances that fit, in the configuration's order. */
export function matchInstances(config: Config, request: MatchRequest): readonly InstanceConfig[] {
  const index = indexOf(config);
  const lone = request.apiKey === null ? undefined : index.byLoneKey.get(request.apiKey);
  if (index.onlyLoneKeys) return lone === undefined ? [] : [lone];
  const hosts = spellings(request.host);
  const path = pathOf(request.path);
  const fits: Entry[] = [];
  const collect = (bucket: Entry | readonly Entry[] | undefined): void => {
    if (bucket === undefined) return;
    for (const entry of "instance" in bucket ? [bucket] : bucket) {
      if (accepts(entry, hosts, path)) fits.push(entry);
    }
  };
  if (request.apiKey !== null && index.byKey.size > 0) collect(index.byKey.get(request.apiKey));
  for (const host of hosts) collect(index.byHost.get(host));
  if (index.byPrefix.size > 0) {
    for (const prefix of prefixesOf(path, index.longestPrefix)) {
      collect(index.byPrefix.get(prefix));
      for (const host of hosts) collect(index.byPrefix.get(placeOf(host, prefix)));
    }
  }
  collect(index.rest);
  if (lone !== undefined) {
    if (fits.length === 0) return [lone];
    fits.push({ instance: lone, order: index.orders.get(lone) ?? 0, host: null, prefix: null });
  }
  if (fits.length > 1) fits.sort((a, b) => a.order - b.order);
  return fits.map((entry) => entry.instance);
}

interface Entry {
  readonly instance: InstanceConfig;
  readonly order: number;
  readonly host: string | null;
  readonly prefix: string | null;
}

/**
 * An entry that is alone needs no list: with ten thousand keys each step on the way is a miss of
 * the caches.
 */
type Bucket = Entry | Entry[];

/** Every instance stands in exactly one bucket, that of its most selective field. */
interface Index {
  /**
   * The first ones that ask for a key and nothing else: nothing lies between a key and its
   * instance.
   */
  readonly byLoneKey: ReadonlyMap<string, InstanceConfig>;
  /** Where in the configuration those of lone keys stand. */
  readonly orders: ReadonlyMap<InstanceConfig, number>;
  /** True when there are no others, and so nothing else has to be looked at. */
  readonly onlyLoneKeys: boolean;
  readonly byKey: ReadonlyMap<string, Bucket>;
  readonly byHost: ReadonlyMap<string, Bucket>;
  /**
   * By prefix, and by host and prefix where an instance names both: one host may have ten thousand
   * prefixes.
   */
  readonly byPrefix: ReadonlyMap<string, Bucket>;
  readonly longestPrefix: number;
  readonly rest: readonly Entry[];
}

/** A configuration never changes, so its index is made once and goes with it. */
const indexes = new WeakMap<Config, Index>();

function indexOf(config: Config): Index {
  let index = indexes.get(config);
  if (index === undefined) {
    index = build(config);
    indexes.set(config, index);
  }
  return index;
}

function build(config: Config): Index {
  const byLoneKey = new Map<string, InstanceConfig>();
  const orders = new Map<InstanceConfig, number>();
  const byKey = new Map<string, Bucket>();
  const byHost = new Map<string, Bucket>();
  const byPrefix = new Map<string, Bucket>();
  const rest: Entry[] = [];
  let longestPrefix = 0;
  const put = (buckets: Map<string, Bucket>, name: string, entry: Entry): void => {
    const bucket = buckets.get(name);
    if (bucket === undefined) buckets.set(name, entry);
    else if ("instance" in bucket) buckets.set(name, [bucket, entry]);
    else bucket.push(entry);
  };
  for (const [order, instance] of config.instances.entries()) {
    const { apiKey, host, pathPrefix } = instance.match;
    const entry: Entry = {
      instance,
      order,
      host: host === undefined ? null : plainHost(host),
      prefix: pathPrefix === undefined ? null : withoutTrailing(pathPrefix, "/"),
    };
    const { host: name, prefix } = entry;
    if (apiKey !== undefined && name === null && prefix === null && !byLoneKey.has(apiKey)) {
      byLoneKey.set(copied(apiKey), instance);
      orders.set(instance, order);
    } else if (apiKey !== undefined) put(byKey, apiKey, entry);
    else if (prefix !== null) put(byPrefix, name === null ? prefix : placeOf(name, prefix), entry);
    else if (name !== null) put(byHost, name, entry);
    else rest.push(entry);
    if (prefix !== null) longestPrefix = Math.max(longestPrefix, prefix.length);
  }
  const onlyLoneKeys = byLoneKey.size === config.instances.length;
  return { byLoneKey, orders, onlyLoneKeys, byKey, byHost, byPrefix, longestPrefix, rest };
}

/**
 * A string of its own, made just now: ten thousand keys that are made one after the other lie side
 * by side, and not between all that was read along with each.
 */
function copied(key: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(key));
  return typeof copy === "string" ? copy : key;
}

function accepts(entry: Entry, hosts: readonly string[], path: string): boolean {
  if (entry.host !== null && !hosts.includes(entry.host)) return false;
  const { prefix } = entry;
  if (prefix === null) return true;
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/");
}

/** No host and no path has a blank in it. */
function placeOf(host: string, prefix: string): string {
  return `${host} ${prefix}`;
}

/** The host as a rule without a port writes it, then as one with a port does. */
function spellings(host: string | null): readonly string[] {
  if (host === null || host === "") return [];
  const plain = plainHost(host);
  const [, name = plain, port = ""] = /^(.*?)(:\d*)?$/.exec(plain) ?? [];
  // An IPv6 literal's own colons stand inside brackets, so what is cut off can only be a port.
  if (port === "" || name.endsWith(":")) return [plain];
  return [plainHost(name), plain];
}

/** Lower case, without the dot that ends an absolute name. */
function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.(:\d*)?$/, "$1");
}

function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

/** `/a/b` gives the empty prefix, `/a` and `/a/b`; none longer than any rule has. */
function prefixesOf(path: string, longest: number): readonly string[] {
  const prefixes = [""];
  for (let end = path.indexOf("/", 1); end !== -1 && end <= longest;) {
    prefixes.push(path.slice(0, end));
    end = path.indexOf("/", end + 1);
  }
  if (path !== "" && path.length <= longest) prefixes.push(path);
  return prefixes;
}
