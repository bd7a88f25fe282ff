import type { Config } from "../config/config.ts";
import type { Snapshot } from "./core.ts";
import type { Platform } from "./platform.ts";
import { createInstanceFinder } from "./instance.ts";
import { createRewriter } from "./rewriter.ts";
import { createClassifier } from "./target.ts";
import { createRecognition } from "../locales/recognition.ts";
import { withoutTrailing } from "../without-trailing.ts";

/**
 * Makes a configuration ready for requests. What is compiled lazily is compiled once per snapshot.
 */
export function createSnapshot(config: Config, platform: Platform): Snapshot {
  const prefixes = prefixesOf(config);
  return {
    config,
    rewriter: createRewriter({
      config,
      now: () => platform.now(),
      allocate: platform.allocate,
    }),
    recognition: createRecognition(config.recognition),
    prefixes,
    classify: createClassifier(prefixes),
    findInstance: createInstanceFinder(config),
  };
}

/**
 * Where the routes may stand: behind the path of publicUrl (a proxy in front may leave it on), and
 * behind an instance's.
 */
function prefixesOf(config: Config): readonly string[] {
  const { publicUrl } = config.listen;
  const outer = publicUrl === null ? "" : withoutTrailing(new URL(publicUrl).pathname, "/");
  const inner = config.instances.flatMap(({ match: { pathPrefix } }) =>
    pathPrefix === undefined ? [] : [withoutTrailing(pathPrefix, "/")],
  );
  const prefixes = [outer, ...inner, ...inner.map((prefix) => outer + prefix)];
  return [...new Set(prefixes)].filter((prefix) => prefix !== "");
}
