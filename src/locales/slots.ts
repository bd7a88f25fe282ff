import { escapeMarkup } from "./markup.ts";
import { differInDirection, isBlank, isolate, toPlainText, shorten } from "./plain-text.ts";
import type { Count, LineContext, PluralCategory } from "./types.ts";

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

/** How a value is written, which depends on where its slot is. */
export type SlotUse =
  /** Between the tags of HTML, or in an attribute that people read. */
  | { readonly kind: "content" }
  /** Within a tag, where no person reads it. */
  | { readonly kind: "attribute" }
  /** In an attribute that holds an address. */
  | { readonly kind: "address" }
  /** In a plain text, whose literal parts these are. */
  | { readonly kind: "plain"; readonly around: string };

/**
 * Returns the finished text for a slot; null if it has no value. What people typed (the query and
 * the conversation's variables, which clients set) is cleaned, and isolated in its direction where
 * people read it. Numbers and dates are written for the locale of the line. In HTML every value is
 * escaped, in an address encoded.
 *
 * @param locale of the line, which may be a fallback of the context's
 */
export function readSlotValue(
  slot: string,
  context: LineContext,
  count: Count,
  locale: string,
  use: SlotUse,
): string | null {
  const isRead = use.kind === "content" || use.kind === "plain";
  const figure = figureOf(slot, context, count, isRead ? locale : null);
  const typed = figure === undefined ? readTypedValue(slot, context, isRead) : null;
  const value = typed ?? figure ?? null;
  if (value === null || isBlank(value)) return null;
  switch (use.kind) {
    case "content":
      return escapeMarkup(typed === null ? value : isolate(value));
    case "attribute":
      return escapeAttribute(value);
    case "address":
      return encodeAddress(value);
    case "plain":
      // Invisible marks would only disturb text messages, speech and copied numbers.
      return typed !== null && differInDirection(value, use.around) ? isolate(value) : value;
  }
}

/**
 * Writes a number or date for readers of the locale, or for programs; undefined if it is neither.
 */
function figureOf(
  slot: string,
  context: LineContext,
  count: Count,
  locale: string | null,
): string | null | undefined {
  const formatValue = (value: number): string =>
    locale === null ? String(value) : formatNumber(locale, value);
  switch (slot) {
    case "date":
      return formatDate(locale, context.now());
    case "maxLength":
      return formatValue(QUESTION_LIMIT);
    case "count": {
      const counted = count();
      return counted === null ? null : formatValue(counted);
    }
    default:
      return undefined;
  }
}

function readTypedValue(slot: string, context: LineContext, isRead: boolean): string | null {
  if (slot !== "query") {
    const variable = context.variables.get(slot.toLowerCase());
    return variable === undefined ? null : toPlainText(variable);
  }
  const query = context.query();
  if (query === null) return null;
  const plain = toPlainText(query);
  // An address gets the whole question, since a search must not contain an ellipsis.
  return isRead ? shorten(plain, QUERY_GRAPHEMES) : plain.slice(0, QUESTION_LIMIT).toWellFormed();
}

/** Percent-encodes all but the unreserved characters of RFC 3986, 2.3. */
function encodeAddress(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Escapes a value so that it cannot end an attribute, even one without quotes. */
function escapeAttribute(text: string): string {
  return escapeMarkup(text).replace(/[\s=`/]/gu, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The CLDR category that the language of a table gives to a count. A table whose name is no
 * language tag has only `other`.
 *
 * @example
 * pluralCategory("pl", 3); // "few"
 */
export function findPluralCategory(locale: string, count: number): PluralCategory {
  return formatsOf(locale)?.plural.select(count) ?? "other";
}

/** Formats a number as readers of the locale write it. */
function formatNumber(locale: string, value: number): string {
  return formatsOf(locale)?.number.format(value) ?? String(value);
}

/** Formats the day of an instant, in UTC because the reader's zone is unknown. */
function formatDate(locale: string | null, instant: number): string | null {
  if (!Number.isFinite(new Date(instant).getTime())) return null;
  const written = locale === null ? null : (formatsOf(locale)?.date.format(instant) ?? null);
  return written ?? new Date(instant).toISOString().slice(0, 10);
}

interface Formats {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
  readonly date: Intl.DateTimeFormat;
}

// Creating an Intl object takes as long as a hundred uses. Only loaded tables' locales come here.
const cache = new Map<string, Formats | null>();

function formatsOf(locale: string): Formats | null {
  const cached = cache.get(locale);
  if (cached !== undefined) return cached;
  const formats = createFormats(locale);
  cache.set(locale, formats);
  return formats;
}

function createFormats(locale: string): Formats | null {
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
