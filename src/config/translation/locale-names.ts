import { nearest } from "../schema/nearest.ts";
import { canonicalTag } from "../schema/values.ts";

/**
 * The canonical tag of a language that texts can be for: one that has some, or any that CLDR knows.
 *
 * @example
 * readLocale("pt_br", ["en", "pt-BR"]); // "pt-BR"
 * readLocale("frx", ["en", "fr"]); // null
 */
export function readLocale(written: string, known: readonly string[]): string | null {
  const tag = canonicalTag(written.trim().replaceAll("_", "-"));
  if (tag === null) return null;
  return known.includes(tag) || LANGUAGES.of(tag) !== undefined ? tag : null;
}

/** The end of an error about a locale: ` Did you mean "fr"?`, or nothing. */
export function meantLocale(written: string, known: readonly string[]): string {
  const byName = new Map(known.map((tag) => [LANGUAGES.of(tag) ?? tag, tag]));
  const found = nearest(written.trim(), [...known, ...byName.keys()]);
  return found === null ? "" : ` Did you mean "${byName.get(found) ?? found}"?`;
}

const LANGUAGES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
