import type { Config, InstanceConfig } from "./config.ts";
import { dropTrailing } from "../text.ts";

/** The part of a request that decides which instance it belongs to. */
export interface MatchRequest {
  /** Value of the API-key header; null without one. */
  readonly apiKey: string | null;
  /** Value of Host or :authority, with its port if it has one; null without one. */
  readonly host: string | null;
  /** Raw path of the request-target; a query is ignored. */
  readonly path: string;
}

/**
 * Returns the instances whose `match` fields all fit, in the configuration's order: the first wins.
 * Keys are compared exactly, hosts without letter case and (unless the rule names one) without
 * port, path prefixes at segment boundaries.
 *
 * @example
 * matchInstances(config, { apiKey: "demo-key", host: "127.0.0.1:8787", path: "/v1" })[0]?.name;
 */
export function matchInstances(config: Config, request: MatchRequest): readonly InstanceConfig[] {
  const { byKey, byAddress, longestPrefix } = indexOf(config);
  const hosts = listSpellings(request.host);
  const path = pathOf(request.path);
  const found = [...((request.apiKey === null ? null : byKey.get(request.apiKey)) ?? [])];
  if (byAddress.size > 0) {
    for (const prefix of prefixesOf(path, longestPrefix)) {
      for (const host of ["", ...hosts])
        found.push(...(byAddress.get(keyOfAddress(host, prefix)) ?? []));
    }
  }
  if (found.length > 1) found.sort((one, other) => one - other);
  return found.flatMap((number) => {
    const instance = config.instances[number];
    return instance !== undefined && accepts(instance.match, hosts, path) ? [instance] : [];
  });
}

/** Indexes of instances by their API key, or else by host and path prefix. */
interface Index {
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  /** By {@link keyOfAddress}; `""` is any host, and any path. */
  readonly byAddress: ReadonlyMap<string, readonly number[]>;
  readonly longestPrefix: number;
}

/** Indexes by configuration. A configuration never changes, so each index is built once. */
const indexes = new WeakMap<Config, Index>();

function indexOf(config: Config): Index {
  let index = indexes.get(config);
  if (index === undefined) {
    index = build(config);
    indexes.set(config, index);
  }
  return index;
}

function build({ instances }: Config): Index {
  const byKey = new Map<string, number[]>();
  const byAddress = new Map<string, number[]>();
  let longestPrefix = 0;
  for (const [number, { match }] of instances.entries()) {
    const { apiKey, host = "", pathPrefix = "" } = match;
    const prefix = dropTrailing(pathPrefix, "/");
    const key = keyOfAddress(toPlainHost(host), prefix);
    const [index, name] = apiKey === undefined ? [byAddress, key] : [byKey, apiKey];
    const known = index.get(name);
    if (known === undefined) index.set(name, [number]);
    else known.push(number);
    longestPrefix = Math.max(longestPrefix, prefix.length);
  }
  return { byKey, byAddress, longestPrefix };
}

function accepts(
  { host, pathPrefix }: InstanceConfig["match"],
  hosts: readonly string[],
  path: string,
): boolean {
  if (host !== undefined && !hosts.includes(toPlainHost(host))) return false;
  if (pathPrefix === undefined) return true;
  const prefix = dropTrailing(pathPrefix, "/");
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Joins with a blank, which neither a host nor a path contains. */
function keyOfAddress(host: string, prefix: string): string {
  return `${host} ${prefix}`;
}

/** The host as a rule without a port writes it, then as one with a port does. */
function listSpellings(host: string | null): readonly string[] {
  if (host === null || host === "") return [];
  const plain = toPlainHost(host);
  const [, name = plain, port = ""] = /^(.*?)(:\d*)?$/.exec(plain) ?? [];
  // The colons of an IPv6 literal are in brackets, so this suffix can only be a port.
  if (port === "" || name.endsWith(":")) return [plain];
  return [toPlainHost(name), plain];
}

/** Lower case, without the dot that ends an absolute name. */
function toPlainHost(host: string): string {
  return host.toLowerCase().replace(/\.(:\d*)?$/, "$1");
}

function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

/** Lists the empty prefix, `/a` and `/a/b` for `/a/b`, up to the longest prefix of the rules. */
function prefixesOf(path: string, longest: number): readonly string[] {
  const prefixes = [""];
  for (let end = path.indexOf("/", 1); end !== -1 && end <= longest;) {
    prefixes.push(path.slice(0, end));
    end = path.indexOf("/", end + 1);
  }
  if (path !== "" && path.length <= longest) prefixes.push(path);
  return prefixes;
}
