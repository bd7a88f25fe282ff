import { stopWords } from "./stop-words.ts";

/**
 * The words of a text as they are compared: lower case, without Latin diacritics, without the words that carry no meaning in
 * this language (unless there are no others), without the plural's last letter where the language has one.
 */
export function wordsOf(text: string, language: string): readonly string[] {
  const ignored = stopWords(language);
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenterFor(language).segment(text)) {
    if (isWordLike === true) words.push(...plain(segment));
  }
  const meaningful = words.filter((word) => !ignored.has(word));
  return (meaningful.length > 0 ? meaningful : words).map((word) => singular(word, language));
}

const segmenters = new Map<string, Intl.Segmenter>();

// Made once per language of the content base: a segmenter costs far more to make than to use.
function segmenterFor(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  const made = new Intl.Segmenter(language, { granularity: "word" });
  segmenters.set(language, made);
  return made;
}

const combiningDiacritics = /[\u0300-\u036f]/g;

/** Lower case without diacritics; French elisions (`l'adresse`) fall apart into their two words. */
function plain(word: string): readonly string[] {
  const bare = word.normalize("NFKD").replace(combiningDiacritics, "").normalize("NFC");
  return bare
    .toLowerCase()
    .split(/['’]/)
    .filter((part) => part !== "");
}

const plurals: ReadonlyMap<string, RegExp> = new Map([
  ["en", /(?<=[a-z]{3}[^su])s$/],
  ["fr", /(?<=[a-z]{3})[sx]$/],
  ["es", /(?<=[a-z]{3})s$/],
]);

function singular(word: string, language: string): string {
  const plural = plurals.get(language.split("-")[0] ?? language);
  return plural === undefined ? word : word.replace(plural, "");
}
