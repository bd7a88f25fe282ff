import { type Flag, FLAGS, toFlag } from "../../direct-answers/flags.ts";
import { recognizersOf } from "../../direct-answers/recognition.ts";
import type { Line } from "../../locales/types.ts";
import type { Config, InstanceConfig } from "../config.ts";

/**
 * The source of a key's text in a locale: the owner's line in that locale, the shipped line, a line
 * of another locale in the fallback chain, or none. `never`: active default content hides the flag.
 */
export type CoverageState = "own" | "shipped" | "inherited" | "missing" | "never";

/** The coverage of one instance: `states[key][locale]`, with keys and locales in display order. */
export interface Coverage {
  readonly instance: string;
  readonly keys: readonly string[];
  readonly locales: readonly string[];
  readonly states: Readonly<Record<string, Readonly<Record<string, CoverageState>>>>;
}

/**
 * Finds the source of each text of the 16 flags and the related title, in every instance and
 * locale, for no particular channel.
 *
 * @example
 * coverageOf(config)[0]?.states["welcome"]?.["fr"]; // "shipped"
 */
export function coverageOf(config: Config): readonly Coverage[] {
  return config.instances.map((instance) => {
    const locales = localesOf(config, instance);
    const states = Object.fromEntries(
      ENGINE_LINES.map((key) => [
        key,
        Object.fromEntries(
          locales.map((locale) => [
            locale,
            findCoverageState(
              instance,
              key,
              locale,
              candidatesOf(config, instance, "", locale, key),
            ),
          ]),
        ),
      ]),
    );
    return { instance: instance.name, keys: ENGINE_LINES, locales, states };
  });
}

/** The keys of the engine's lines that Afterword replaces: the 16 flags and the related title. */
export const ENGINE_LINES: readonly string[] = [...FLAGS, "related-title"];

/** Lists the locales in which an instance has texts, in display order. */
export function localesOf(config: Config, { tableSet }: InstanceConfig): readonly string[] {
  return Object.keys(config.tableSets[tableSet]?.channels[""] ?? {}).sort();
}

/**
 * Lists the texts that may be used for a key, the preferred first.
 *
 * @param channel falls back to the texts for all channels
 */
export function candidatesOf(
  config: Config,
  { tableSet }: InstanceConfig,
  channel: string,
  locale: string,
  key: string,
): readonly Line[] {
  const channels = config.tableSets[tableSet]?.channels ?? {};
  return channels[channel]?.[locale]?.lines[key] ?? channels[""]?.[locale]?.lines[key] ?? [];
}

/** @param candidates as {@link candidatesOf} lists them */
export function findCoverageState(
  instance: InstanceConfig,
  key: string,
  locale: string,
  [line]: readonly Line[],
): CoverageState {
  const flag = toFlag(key);
  if (flag !== null && hidesFlag(instance, flag)) return "never";
  if (line === undefined) return "missing";
  return line.locale === locale ? line.origin : "inherited";
}

/** True for flags that the engine does not return here, and whose default content keeps its words. */
export function hidesFlag(instance: InstanceConfig, flag: Flag): boolean {
  const { activeDefaultContent, replace } = instance.rules;
  if (!activeDefaultContent.includes(flag)) return false;
  return replace[flag] === undefined || !isRecognized(instance, flag);
}

/** True if active default content of a flag can be recognized by a title or a text. */
export function isRecognized({ rules }: InstanceConfig, flag: Flag): boolean {
  const { titles, texts } = recognizersOf(rules);
  return [...titles.values(), ...texts.values()].includes(flag);
}
