import { ENGLISH } from "./words-en.ts";

/** Every text that the desk itself says. Each language has all of them, or it does not compile. */
export type Words = { readonly [name in keyof typeof ENGLISH]: string };

/** Languages that the desk speaks, in the order in which they are offered. */
export const LANGUAGES = ["en", "es", "fr", "de", "ar", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

const others: Readonly<Record<Exclude<Language, "en">, () => Promise<{ readonly WORDS: Words }>>> =
  {
    es: () => import("./words-es.ts"),
    fr: () => import("./words-fr.ts"),
    de: () => import("./words-de.ts"),
    ar: () => import("./words-ar.ts"),
    ja: () => import("./words-ja.ts"),
  };

/** The words of a language. Only the one that is spoken is fetched. */
export async function wordsIn(language: Language): Promise<Words> {
  return language === "en" ? ENGLISH : (await others[language]()).WORDS;
}

/** The first of these language tags that the desk speaks; English where it speaks none. */
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
