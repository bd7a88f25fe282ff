import { existsSync, readFileSync } from "node:fs";
import { type HunspellFactory, loadModule } from "hunspell-asm";

/** Says which of these words a language's dictionary does not know. */
export type Spelling = (words: readonly string[]) => readonly string[];

/** Dictionaries whose name is not the language's own. */
const NAMES: Readonly<Record<string, string>> = {
  no: "nb",
  pt: "pt-pt",
  "pt-BR": "pt",
  "es-419": "es",
  "fr-CA": "fr",
};

let hunspell: HunspellFactory | undefined;

/** Null: there is no kept dictionary of the language (ar, fi, id, ja, th, zh). */
export async function spellingOf(locale: string): Promise<Spelling | null> {
  const folder = new URL(`./node_modules/dictionary-${NAMES[locale] ?? locale}/`, import.meta.url);
  if (!existsSync(folder)) return null;
  hunspell ??= await loadModule();
  const mount = (name: string): string | undefined =>
    hunspell?.mountBuffer(readFileSync(new URL(name, folder)), `${locale}-${name}`);
  const [affixes, words] = [mount("index.aff"), mount("index.dic")];
  if (affixes === undefined || words === undefined) return null;
  const dictionary = hunspell.create(affixes, words);
  // Dictionaries have the typewriter's apostrophe.
  return (asked) =>
    asked.filter((word) => !dictionary.spell(word) && !dictionary.spell(word.replaceAll("’", "'")));
}

/** A word may have apostrophes, hyphens and Catalan dots inside. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}]+(?:[’·־-][\p{L}\p{M}]+)*/gu) ?? [];
}
