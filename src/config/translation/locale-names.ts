import { findLikelyScript, toSpokenLanguage } from "../../locales/tag.ts";
import { findNearest } from "../../yaml/nearest.ts";
import { toCanonicalTag } from "../schema/values.ts";

/**
 * Returns the canonical tag of a language that has texts or that CLDR knows; null for others.
 *
 * @example
 * readLocale("pt_br", ["en", "pt-BR"]); // "pt-BR"
 * readLocale("frx", ["en", "fr"]); // null
 */
export function readLocale(written: string, known: readonly string[]): string | null {
  const tag = toCanonicalTag(written.trim().replaceAll("_", "-"));
  if (tag === null) return null;
  return known.includes(tag) || LANGUAGES.of(tag) !== undefined ? tag : null;
}

/** Returns the end of an error about a locale: ` Did you mean "fr"?`, or nothing. */
export function didYouMeanLocale(written: string, known: readonly string[]): string {
  const byName = new Map(known.map((tag) => [LANGUAGES.of(tag) ?? tag, tag]));
  const found = findNearest(written.trim(), [...known, ...byName.keys()]);
  return found === null ? "" : ` Did you mean "${byName.get(found) ?? found}"?`;
}

/**
 * Finds the language of a tag to which a translator's tool has added a region, or null: `fr` for
 * `fr-FR`, `no` for `nb-NO`, and the language of the exported file for any region of it.
 *
 * @param known languages that have texts; `tag` is none of them
 */
export function findLocaleWithoutRegion(
  tag: string,
  exported: string | null,
  known: readonly string[],
): string | null {
  if (exported !== null && known.includes(exported) && isSameLanguage(tag, exported)) {
    return exported;
  }
  return known.find((one) => toShortestTag(one) === toShortestTag(tag)) ?? null;
}

function isSameLanguage(one: string, other: string): boolean {
  return (
    toSpokenLanguage(one) === toSpokenLanguage(other) &&
    findLikelyScript(one) === findLikelyScript(other)
  );
}

/** Removes the subtags that CLDR's likely subtags add: `zh` of `zh-Hans-CN`. */
function toShortestTag(tag: string): string {
  return new Intl.Locale(tag.replace(/^n[bn](?=-|$)/i, "no")).minimize().toString();
}

const LANGUAGES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
