import type { Config, InstanceConfig } from "./config.ts";
import type { Reporter } from "./diagnostic.ts";
import { sectionOf } from "./section.ts";
import type { YamlFile } from "./yaml.ts";
import { withoutTrailing } from "../without-trailing.ts";

/** Warns of instances that no request reaches, because an earlier one matches all that they do. */
export function checkShadowed(config: Config, file: YamlFile, reporter: Reporter): void {
  const earlier = new Map<string, string>();
  for (const [index, { name, match }] of config.instances.entries()) {
    const before = wider(match).flatMap((key) => earlier.get(key) ?? [])[0];
    if (before !== undefined) {
      const message = `no request reaches "${name}": "${before}" stands before it and matches all of its requests`;
      sectionOf(file, reporter, ["instances", index, "name"]).warn("unreachable", message);
    }
    const [own] = wider(match);
    if (own !== undefined && !earlier.has(own)) earlier.set(own, name);
  }
}

/** Every match that includes this one, itself first: without fields, port, or part of the path. */
function wider({ apiKey, host, pathPrefix }: InstanceConfig["match"]): readonly string[] {
  const keys = apiKey === undefined ? [null] : [apiKey, null];
  const hosts = host === undefined ? [null] : [host, host.replace(/:\d+$/, ""), null];
  const prefixes = pathPrefix === undefined ? [null] : [...shorter(pathPrefix), null];
  return keys.flatMap((key) =>
    hosts.flatMap((name) => prefixes.map((prefix) => JSON.stringify([key, name, prefix]))),
  );
}

/** `/a/b`, `/a` and the empty prefix. */
function shorter(prefix: string): readonly string[] {
  const found: string[] = [];
  let rest = withoutTrailing(prefix, "/");
  for (;;) {
    found.push(rest);
    const cut = rest.lastIndexOf("/");
    if (cut === -1) return found;
    rest = rest.slice(0, cut);
  }
}
