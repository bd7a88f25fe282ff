import type { Config, InstanceConfig } from "../config/config.ts";
import type { Snapshot } from "./exchange/request.ts";
import type { Platform } from "./exchange/platform.ts";
import { createRewriter } from "./rewriter/rewriter.ts";
import {
  createRecognition,
  type Recognition,
  withOwnWords,
  type WordsByLanguage,
} from "../locales/recognition.ts";
import { toSpokenLanguage } from "../locales/tag.ts";
import { dropTrailing } from "../text.ts";
import { matchInstances } from "../config/match.ts";
import type { RequestHead } from "./exchange/exchange.ts";
import { fieldOf } from "./exchange/headers.ts";
import { hostOf } from "./upstream/public-address.ts";

/** Prepares a configuration for requests; lazy compilation happens once per snapshot. */
export function createSnapshot(config: Config, platform: Platform): Snapshot {
  return {
    config,
    rewriter: createRewriter({
      config,
      now: () => platform.now(),
    }),
    recognitionOf: createRecognitions(config, platform),
    prefixes: prefixesOf(config),
    findInstance: createInstanceFinder(config),
  };
}

/**
 * Caches what is recognized. Instances without words of their own share an entry, and so do all
 * languages whose words are in the configuration.
 */
function createRecognitions(config: Config, { wordsOf }: Platform): Snapshot["recognitionOf"] {
  const loaded = config.recognition;
  const cache = new Map<string, Recognition>();
  const recognitionWith = (tableSet: number, language: string, more: WordsByLanguage) => {
    const own = config.tableSets[tableSet]?.words;
    const key = `${own === undefined ? "" : tableSet} ${language}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const words = { ...loaded, ...more };
    const recognition = createRecognition(own === undefined ? words : withOwnWords(words, own));
    cache.set(key, recognition);
    return recognition;
  };
  return async ({ tableSet }, locale) => {
    const language = toSpokenLanguage(locale);
    if (wordsOf === undefined || Object.hasOwn(loaded, language)) {
      return recognitionWith(tableSet, "", {});
    }
    const words = await wordsOf(language);
    return words === null
      ? recognitionWith(tableSet, "", {})
      : recognitionWith(tableSet, language, { [language]: words });
  };
}

/** Lists the prefixes of routes: the path of publicUrl, which proxies may leave on, and instances'. */
function prefixesOf(config: Config): readonly string[] {
  const outer = publicPathOf(config);
  const inner = config.instances.flatMap(({ match: { pathPrefix } }) =>
    pathPrefix === undefined ? [] : [dropTrailing(pathPrefix, "/")],
  );
  const prefixes = [outer, ...inner, ...inner.map((prefix) => outer + prefix)];
  return [...new Set(prefixes)].filter((prefix) => prefix !== "");
}

/** Finds the first instance that matches a request; `x-afterword-instance` names another match. */
function createInstanceFinder(config: Config): (head: RequestHead) => InstanceConfig | null {
  const { instances } = config;
  const [only] = instances;
  // A single instance that matches everything needs no look at the request.
  if (instances.length === 1 && only !== undefined && Object.keys(only.match).length === 0) {
    return () => only;
  }
  // Host and path are read only if an instance matches by them.
  const byHost = instances.some(({ match }) => match.host !== undefined);
  const byPath = instances.some(({ match }) => match.pathPrefix !== undefined);
  const publicPath = publicPathOf(config);
  return (head) => {
    const { headers } = head;
    const fits = matchInstances(config, {
      apiKey: fieldOf(headers, "x-inbenta-key") ?? fieldOf(headers, "x-vendor-key"),
      host: byHost ? hostOf(head) : null,
      path: byPath ? pathIn(head, publicPath) : "",
    });
    const [first = null] = fits;
    if (fits.length < 2) return first;
    const name = fieldOf(headers, "x-afterword-instance");
    return fits.find((instance) => instance.name === name) ?? first;
  };
}

/** The path of publicUrl, which proxies may leave on; empty where it has none. */
function publicPathOf({ listen: { publicUrl } }: Config): string {
  return publicUrl === null ? "" : dropTrailing(new URL(publicUrl).pathname, "/");
}

/** Returns a request's path as `pathPrefix` means it: below the path of publicUrl. */
function pathIn({ target }: RequestHead, publicPath: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return publicPath !== "" && path.startsWith(`${publicPath}/`)
    ? path.slice(publicPath.length)
    : path;
}
