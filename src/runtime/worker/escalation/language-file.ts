import type { Config } from "../../../config/config.ts";
import { patternsIn } from "../../../escalation/spoken-patterns.ts";
import { meaningsIn } from "../../../locales/polar-meanings.ts";
import { createNegotiator } from "../../../locales/negotiate.ts";
import { spokenLanguage } from "../../../locales/spoken-form.ts";
import { type PackedTables, packTables } from "../packed-tables.ts";
import type { LanguageWords, PolarWords } from "./known-words.ts";
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

/**
 * What the script itself understands: yes and no in the fallback's language, whose lines it has
 * too. How readers ask for a person weighs twice as much, and nobody is misread without it.
 */
export function wordsInScript({ tableSets }: Pick<Config, "tableSets">): readonly LanguageWords[] {
  const fallbacks = tableSets.map((set) => spokenLanguage(createNegotiator(set)({}).locale));
  return [...new Set(fallbacks)].flatMap((language): readonly LanguageWords[] => {
    const polar = polarOf(language);
    return polar === null ? [] : [[language, null, polar]];
  });
}

/** English is understood by the side of every language. */
function wordsOf(locale: string): readonly LanguageWords[] {
  return [...new Set([spokenLanguage(locale), "en"])].map((language) => [
    language,
    patternsIn(language),
    polarOf(language),
  ]);
}

function polarOf(language: string): PolarWords | null {
  const meanings = meaningsIn(language);
  if (meanings === null) return null;
  const saying = (wanted: string): string =>
    [...meanings].flatMap(([phrase, meaning]) => (meaning === wanted ? [phrase] : [])).join("|");
  return { yes: saying("yes"), no: saying("no"), cancel: saying("cancel") };
}
