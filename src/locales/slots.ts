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

/** How a value is written where it stands. */
export type SlotUse =
  /** Between the tags of HTML, or in an attribute that people read. */
  | { readonly kind: "content" }
  /** Within a tag, but no text. */
  | { readonly kind: "attribute" }
  /** In an attribute that holds an address. */
  | { readonly kind: "address" }
  /** In a plain text, whose literal parts these are. */
  | { readonly kind: "plain"; readonly around: string };

/**
 * The finished text for a slot, or null when there is no value. What people typed (the query and
 * the conversation's variables, which clients set) is cleaned, and isolated in its direction where
 * people read it; numbers and dates are ours, written for the locale of the line. HTML escapes
 * everything, and an address encodes it.
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
      // Text messages, speech and a copied number have no use for marks that nobody sees.
      return typed !== null && differInDirection(value, use.around) ? isolate(value) : value;
  }
}

/** A number or a date as readers of the locale write it, or for programs; undefined: neither. */
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
  // A search gets the whole question, without the ellipsis of a shortened one.
  return isRead ? shorten(plain, QUERY_GRAPHEMES) : plain.slice(0, QUESTION_LIMIT).toWellFormed();
}

/** Percent-encodes all but the unreserved characters of RFC 3986, 2.3. */
function encodeAddress(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Also keeps a value within an attribute that stands without quotes. */
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

/** A number as readers of the locale write it. */
function formatNumber(locale: string, value: number): string {
  return formatsOf(locale)?.number.format(value) ?? String(value);
}

/** The day of an instant in UTC (the reader's zone is not known), written out in a locale. */
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
