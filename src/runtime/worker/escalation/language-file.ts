import type { Config } from "../../../config/config.ts";
import { patternsIn } from "../../../escalation/spoken-patterns.ts";
import { meaningsIn } from "../../../locales/polar-meanings.ts";
import { spokenLanguage } from "../../../locales/spoken-form.ts";
import { type PackedTables, packTables } from "../packed-tables.ts";
import type { LanguageWords } from "./known-words.ts";
import { linesOf } from "./split-tables.ts";

/** What escalation says in one language, and understands: an asset of the deployment. */
export interface LanguageFile {
  readonly tables: PackedTables;
  /** Instance → index of its table set. */
  readonly instances: { readonly [name: string]: number };
  readonly words: readonly LanguageWords[];
}

/** A file for every language that an instance speaks, by its tag. For the build. */
export function languageFiles({
  tableSets,
  instances,
}: Pick<Config, "tableSets" | "instances">): ReadonlyMap<string, LanguageFile> {
  const byName = Object.fromEntries(instances.map(({ name, tableSet }) => [name, tableSet]));
  const locales = tableSets.flatMap(({ channels }) => Object.values(channels).flatMap(Object.keys));
  return new Map(
    [...new Set(locales)].map((locale) => [
      locale,
      {
        tables: packTables(tableSets.map((set) => linesOf(set, locale))),
        instances: byName,
        words: wordsOf(locale),
      },
    ]),
  );
}

/** English is understood by the side of every language. */
function wordsOf(locale: string): readonly LanguageWords[] {
  return [...new Set([spokenLanguage(locale), "en"])].map((language) => {
    const polar = meaningsIn(language);
    return [language, patternsIn(language), polar && [...polar]];
  });
}
