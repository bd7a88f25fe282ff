import type { PluralCategory } from "./types.ts";

/**
 * The CLDR category that the language of a table gives to a count. A table whose name is no
 * language tag has only `other`.
 *
 * @example
 * pluralCategory("pl", 3); // "few"
 */
export function pluralCategory(locale: string, count: number): PluralCategory {
  return formatsOf(locale)?.plural.select(count) ?? "other";
}

/** A number as readers of the locale write it. */
export function formatNumber(locale: string, value: number): string {
  return formatsOf(locale)?.number.format(value) ?? String(value);
}

/** The day of an instant in UTC (the reader's zone is not known), written out in the locale. */
export function formatDate(locale: string, instant: number): string | null {
  if (!Number.isFinite(new Date(instant).getTime())) return null;
  return formatsOf(locale)?.date.format(instant) ?? new Date(instant).toISOString().slice(0, 10);
}

interface Formats {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
  readonly date: Intl.DateTimeFormat;
}

// Building an Intl object costs a hundred times its use. Locales are names of loaded tables, a
// small closed set.
const known = new Map<string, Formats | null>();

function formatsOf(locale: string): Formats | null {
  const found = known.get(locale);
  if (found !== undefined) return found;
  const made = make(locale);
  known.set(locale, made);
  return made;
}

function make(locale: string): Formats | null {
  try {
    return {
      plural: new Intl.PluralRules(locale),
      number: new Intl.NumberFormat(locale),
      date: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }),
    };
  } catch {
    return null; // RangeError: the table's name is no well-formed tag
  }
}
