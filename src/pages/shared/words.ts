/** Languages that the pages speak, in the order in which they are offered. */
export const LANGUAGES = ["en", "es", "fr", "de", "ar", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A page's own words in a language. Only the one that is spoken is fetched. */
export async function wordsIn<Words>(language: Language): Promise<Words> {
  const answer = await fetch(new URL(`../words-${language}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`the page's words are not there: ${answer.status}`);
  return answer.json();
}

/** The first of these language tags that the pages speak; English where they speak none. */
export function languageOf(tags: readonly (string | null)[]): Language {
  const codes = tags.map((tag) => tag?.toLowerCase().split(/[-_]/)[0] ?? "");
  return codes.flatMap((code) => LANGUAGES.filter((one) => one === code)).at(0) ?? "en";
}

export function directionOf(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

/** Fills `{name}` places. In a right-to-left line each value is isolated (FSI and PDI). */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const both = [text, ...Object.values(values)].some((part) => rightToLeft.test(String(part)));
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = String(values[name] ?? place);
    return both ? `\u2068${value}\u2069` : value;
  });
}

const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;
