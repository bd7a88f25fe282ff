import { createInstance } from "i18next";
import { relatives, sameLanguage } from "../locales/relatives.ts";
import { parseTag } from "../locales/tag.ts";

/**
 * For every locale the locales whose lines speak for it, itself first: then its explicit chain, its
 * relatives and siblings of the same language, and the default. i18next walks it, once per load.
 *
 * @param chains explicit chains by lower-cased tag
 */
export async function fallbackChains(
  locales: readonly string[],
  chains: Readonly<Record<string, readonly string[]>>,
  fallback: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const present = new Set(locales);
  const siblings = createSiblings(locales);
  const instance = createInstance();
  await instance.init({
    lng: fallback,
    // A function, because i18next looks plain objects up by names that objects inherit.
    fallbackLng: (locale: string) => [
      ...(chains[locale.toLowerCase()] ?? []).flatMap((member) =>
        present.has(member) ? member : siblings(member).slice(0, 1),
      ),
      ...siblings(locale),
      fallback,
    ],
    // Its own truncation would make Simplified Chinese of zh-TW.
    load: "currentOnly",
    cleanCode: false,
    resources: {},
    initAsync: false,
  });
  const resolved = new Map<string, readonly string[]>();
  for (const locale of [...present, ...named(chains, present)]) {
    await instance.changeLanguage(locale);
    resolved.set(
      locale,
      [...new Set(instance.languages)].filter((code) => present.has(code)),
    );
  }
  return resolved;
}

/** A tag that only a chain names gets a table too: what the chain's members say, in their order. */
function named(
  chains: Readonly<Record<string, readonly string[]>>,
  present: ReadonlySet<string>,
): readonly string[] {
  return Object.keys(chains)
    .map((tag) => parseTag(tag)?.base ?? tag)
    .filter((locale) => !present.has(locale));
}

/** The others of a locale's language, nearest first. */
function createSiblings(locales: readonly string[]): (locale: string) => readonly string[] {
  const byTag = new Map(locales.map((other) => [other.toLowerCase(), other]));
  const languages = new Map(locales.map((other) => [other, parseTag(other)?.likely.language]));
  return (locale) => {
    const tag = parseTag(locale);
    if (tag === null) return [];
    const near = relatives(tag).flatMap((relative) => byTag.get(relative.tag) ?? []);
    const rest = locales.filter((other) => {
      const language = languages.get(other);
      return language !== undefined && sameLanguage(tag.likely.language, language);
    });
    return [...near, ...rest].filter((other) => other !== locale);
  };
}
