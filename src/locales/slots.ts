import { escapeMarkup } from "./markup.ts";
import { isBlank, isolate, plainText, shorten } from "./plain-text.ts";
import type { Count, LineContext, TextFormat, PluralCategory } from "./types.ts";

/** Longest query that is repeated to the reader, in grapheme clusters. */
const QUERY_GRAPHEMES = 60;

/** The engine's own limit of a question, in characters (seed.md, section 9). */
const QUESTION_LIMIT = 256;

/** Placeholders that every line may use; conversation variables come from the instance. */
export const PLACEHOLDERS: readonly string[] = Object.freeze([
  "query",
  "date",
  "maxLength",
  "count",
]);

/**
 * The finished text for a slot, or null when there is no value. What people typed (the query and
 * the conversation's variables, which clients set) is cleaned and isolated in its direction;
 * numbers and dates are ours, written for the locale of the line. Everything is escaped unless the
 * text is shown as plain text.
 *
 * @param locale of the line, which may be a fallback of the context's
 */
export function slotValue(
  slot: string,
  context: LineContext,
  count: Count,
  locale: string,
  format: TextFormat,
): string | null {
  const value = rawValue(slot, context, count, locale);
  if (value === null || isBlank(value)) return null;
  return format === "text" ? value : escapeMarkup(value);
}

function rawValue(slot: string, context: LineContext, count: Count, locale: string): string | null {
  switch (slot) {
    case "query":
      return typed(context.query(), QUERY_GRAPHEMES);
    case "date":
      return formatDate(locale, context.now());
    case "maxLength":
      return formatNumber(locale, QUESTION_LIMIT);
    case "count": {
      const counted = count();
      return counted === null ? null : formatNumber(locale, counted);
    }
    default:
      return typed(context.variables.get(slot.toLowerCase()) ?? null, null);
  }
}

function typed(text: string | null, limit: number | null): string | null {
  if (text === null) return null;
  const plain = plainText(text);
  return isolate(limit === null ? plain : shorten(plain, limit));
}

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
function formatNumber(locale: string, value: number): string {
  return formatsOf(locale)?.number.format(value) ?? String(value);
}

/** The day of an instant in UTC (the reader's zone is not known), written out in the locale. */
function formatDate(locale: string, instant: number): string | null {
  if (!Number.isFinite(new Date(instant).getTime())) return null;
  return formatsOf(locale)?.date.format(instant) ?? new Date(instant).toISOString().slice(0, 10);
}

interface Formats {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
  readonly date: Intl.DateTimeFormat;
}

// Building an Intl object costs a hundred uses. Locales are loaded tables' names, a small set.
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
