/** Languages of the pages, in the order in which they are offered. */
export const LANGUAGES = [
  "en",
  "es",
  "fr",
  "de",
  "ar",
  "ja",
  "it",
  "ko",
  "nl",
  "pt",
  "pt-BR",
  "ru",
  "zh",
  "zh-Hant",
  "sv",
  "da",
  "no",
  "pl",
  "uk",
  "cs",
  "ca",
  "gl",
  "ro",
  "tr",
  "id",
  "vi",
  "fi",
  "hu",
  "el",
  "he",
  "th",
  "eu",
] as const;
export type Language = (typeof LANGUAGES)[number];

/** Reads a page's own words in a language. Only the language in use is fetched. */
export async function wordsIn<Words>(language: Language): Promise<Words> {
  const answer = await fetch(new URL(`../words-${language}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`the page's words are not there: ${answer.status}`);
  return answer.json();
}

/** Writes the words into the page's own parts, such as its header. */
export function fillPage(words: Readonly<Record<string, string>>): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-word], [data-label]")) {
    const { word = "", label = "" } = part.dataset;
    if (words[word] !== undefined) part.textContent = words[word];
    if (words[label] !== undefined) part.setAttribute("aria-label", words[label]);
  }
}

/** Finds the first of these language tags that the pages have, or English. */
export function languageOf(tags: readonly (string | null)[]): Language {
  const codes = tags.flatMap((tag) => spellingsOf(tag ?? ""));
  return (
    codes.flatMap((code) => LANGUAGES.filter((one) => one.toLowerCase() === code)).at(0) ?? "en"
  );
}

/** Lists a tag, then its language alone, as Afterword's files are named. */
function spellingsOf(tag: string): readonly string[] {
  const whole = tag.toLowerCase().replaceAll("_", "-");
  const [code = ""] = whole.split("-");
  const traditional = /^zh-(?:.*-)?(?:hant|tw|hk|mo)\b/.test(whole);
  return [...(traditional ? ["zh-hant"] : [whole]), aliases.get(code) ?? code];
}

/** Other codes of a language: Norwegian's two, and deprecated ones. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["iw", "he"],
  ["in", "id"],
]);

/** The direction in which a language is written, by its script; `ltr` for an unknown tag. */
export function directionOf(tag: string): "ltr" | "rtl" {
  try {
    return rightToLeftScripts.has(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr";
  } catch {
    return "ltr";
  }
}

const rightToLeftScripts: ReadonlySet<string> = new Set("Arab Hebr Syrc Thaa Nkoo Adlm".split(" "));

/** Names a language in the page's language. */
export function nameLanguage(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Joins words as the page's language does: `A, B and C`, `A、B、C`; of a `unit`, mostly `A, B`. */
export function listOf(
  words: readonly string[],
  language: string,
  type: "conjunction" | "unit" = "conjunction",
): string {
  return new Intl.ListFormat(language, { type }).format(words);
}

/**
 * Fills `{name}` places. In a right-to-left line each value is isolated (FSI and PDI). Embeddings
 * and overrides are removed from values, because they would turn the words around them.
 */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const both = [text, ...Object.values(values)].some((part) => rightToLeft.test(String(part)));
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = String(values[name] ?? place).replaceAll(/[\u202a-\u202e]/g, "");
    return both ? `\u2068${value}\u2069` : value;
  });
}

const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;
