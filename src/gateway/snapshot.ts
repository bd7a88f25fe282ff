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
    recognitionOf: recognitionsOf(config, platform),
    prefixes: prefixesOf(config),
    findInstance: createInstanceFinder(config),
  };
}

/** Instances without words of their own share one, and so do languages that are all here. */
function recognitionsOf(config: Config, { wordsOf }: Platform): Snapshot["recognitionOf"] {
  const here = config.recognition;
  const made = new Map<string, Recognition>();
  const recognitionWith = (tableSet: number, language: string, more: WordsByLanguage) => {
    const own = config.tableSets[tableSet]?.words;
    const name = `${own === undefined ? "" : tableSet} ${language}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    const words = { ...here, ...more };
    const recognition = createRecognition(own === undefined ? words : withOwnWords(words, own));
    made.set(name, recognition);
    return recognition;
  };
  return async ({ tableSet }, locale) => {
    const language = toSpokenLanguage(locale);
    if (wordsOf === undefined || Object.hasOwn(here, language)) {
      return recognitionWith(tableSet, "", {});
    }
    const words = await wordsOf(language);
    return words === null
      ? recognitionWith(tableSet, "", {})
      : recognitionWith(tableSet, language, { [language]: words });
  };
}

/** Prefixes of routes: the path of publicUrl (which proxies may leave on), an instance's. */
function prefixesOf(config: Config): readonly string[] {
  const { publicUrl } = config.listen;
  const outer = publicUrl === null ? "" : dropTrailing(new URL(publicUrl).pathname, "/");
  const inner = config.instances.flatMap(({ match: { pathPrefix } }) =>
    pathPrefix === undefined ? [] : [dropTrailing(pathPrefix, "/")],
  );
  const prefixes = [outer, ...inner, ...inner.map((prefix) => outer + prefix)];
  return [...new Set(prefixes)].filter((prefix) => prefix !== "");
}

/** A request's instance, or null; `x-afterword-instance` can only narrow other matches. */
function createInstanceFinder(config: Config): (head: RequestHead) => InstanceConfig | null {
  const { instances } = config;
  const [only] = instances;
  // With one instance for everything there is nothing to look at.
  if (instances.length === 1 && only !== undefined && Object.keys(only.match).length === 0) {
    return () => only;
  }
  // A part that no instance asks for is not worked out for every request.
  const byHost = instances.some(({ match }) => match.host !== undefined);
  const byPath = instances.some(({ match }) => match.pathPrefix !== undefined);
  return (head) => findInstance(config, head, byHost, byPath);
}

function findInstance(
  config: Config,
  head: RequestHead,
  byHost: boolean,
  byPath: boolean,
): InstanceConfig | null {
  const { headers, target } = head;
  const fits = matchInstances(config, {
    apiKey: fieldOf(headers, "x-inbenta-key") ?? fieldOf(headers, "x-vendor-key"),
    host: byHost ? hostOf(head) : null,
    path: byPath ? toInnerPath(config, target.replace(/^https?:\/\/[^/?#]*/i, "")) : "",
  });
  if (fits.length > 1) {
    const wanted = fieldOf(headers, "x-afterword-instance");
    const named = wanted === null ? undefined : fits.find((instance) => instance.name === wanted);
    if (named !== undefined) return named;
  }
  return fits[0] ?? null;
}

/** The path without publicUrl's (which proxies may leave on), as pathPrefix means it. */
function toInnerPath(config: Config, path: string): string {
  const { publicUrl } = config.listen;
  const outer = publicUrl === null ? "" : dropTrailing(new URL(publicUrl).pathname, "/");
  return outer !== "" && path.startsWith(`${outer}/`) ? path.slice(outer.length) : path;
}
