import { type Flag, FLAGS, toFlag } from "../../direct-answers/flags.ts";
import type { Config, InstanceConfig } from "../config.ts";

/**
 * Who speaks for a key in a locale: the owner's line of that very locale, the shipped one, another
 * locale's along the fallback chain, nobody; or `never`, when active default content hides the
 * flag.
 */
export type CoverageState = "own" | "shipped" | "inherited" | "missing" | "never";

/** One instance's texts: `states[key][locale]`, keys and locales in the order to show them. */
export interface Coverage {
  readonly instance: string;
  readonly keys: readonly string[];
  readonly locales: readonly string[];
  readonly states: Readonly<Record<string, Readonly<Record<string, CoverageState>>>>;
}

/**
 * What every instance says for the 16 flags and the related title, in every locale, without a
 * particular channel.
 *
 * @example
 * coverageOf(config)[0]?.states["welcome"]?.["fr"]; // "shipped"
 */
export function coverageOf(config: Config): readonly Coverage[] {
  return config.instances.map((instance) => coverageOfInstance(config, instance));
}

const KEYS: readonly string[] = [...FLAGS, "related-title"];

function coverageOfInstance(config: Config, instance: InstanceConfig): Coverage {
  const tables = config.tableSets[instance.tableSet]?.channels[""] ?? {};
  const locales = Object.keys(tables).sort();
  const stateOf = (key: string, locale: string): CoverageState => {
    const flag = toFlag(key);
    if (flag !== null && hidesFlag(instance, flag)) return "never";
    const [line] = tables[locale]?.lines[key] ?? [];
    if (line === undefined) return "missing";
    return line.locale === locale ? line.origin : "inherited";
  };
  const states = Object.fromEntries(
    KEYS.map((key) => [
      key,
      Object.fromEntries(locales.map((locale) => [locale, stateOf(key, locale)])),
    ]),
  );
  return { instance: instance.name, keys: KEYS, locales, states };
}

/** True for flags that the engine does not return here; recognized default content stays too. */
export function hidesFlag({ rules }: InstanceConfig, flag: Flag): boolean {
  return rules.activeDefaultContent.includes(flag);
}
