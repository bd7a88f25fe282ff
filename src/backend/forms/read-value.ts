import { readMailAddress } from "../../locales/person.ts";
import { isBlank, trimInvisible } from "../../locales/plain-text.ts";
import { findMatching } from "./pattern.ts";
import { readDate, readDateBound } from "./read-date.ts";
import type { FieldType, FormField, FieldValue } from "./types.ts";
import { fold, toAsciiDigits } from "./fold.ts";

/** The circumstances on which the meaning of a value depends. */
export interface Reading {
  readonly language: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Reads the value of a field from a message. Webhooks get numbers with a decimal point, days in
 * ISO 8601, and the value of a choice. Empty if an optional field was skipped with an empty message
 * or a dash. Null if the value is invalid.
 */
export function readValue(field: FormField, typed: string, reading: Reading): string | null {
  const text = trimInvisible(typed.toWellFormed().replace(controls, "").normalize("NFC"));
  if (text.length > maxTyped) return null;
  const skips = isBlank(text) || /^[-–—]$/.test(text);
  if (skips && !field.required) return "";
  return isBlank(text) ? null : readers[field.type](field, text, reading);
}

// In UTF-16 units. Every value is stored in the session and sent to the webhook, so it is limited.
const maxTyped = 8000;
// All controls but the line feed, direction overrides and isolates, byte order marks.
const controls = /(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

type Reader = (field: FormField, text: string, reading: Reading) => string | null;

const readers: Readonly<Record<FieldType, Reader>> = {
  text: ({ pattern, min, max }, text) => {
    const value = pattern === null ? text : findMatching(pattern, text);
    const length = Array.from(value ?? "").length;
    return value !== null && isWithin(length, min, max) ? value : null;
  },
  number: ({ min, max }, text, { language }) => {
    const value = readNumber(text, language);
    return value !== null && isWithin(Number(value), min, max) ? value : null;
  },
  date: ({ min, max }, text, { language, now }) => {
    const value = readDate(text, language);
    const bound = (written: number | string | null): string | null =>
      typeof written === "string" ? readDateBound(written, now) : null;
    return value !== null && isWithin(value, bound(min), bound(max)) ? value : null;
  },
  email: (_, text) => readMailAddress(text),
  list: ({ values }, text) => readChoice(text, values),
  file: (_, text) => readFileReference(text),
};

/** Compares numbers by size and ISO days as texts. A bound of another type is ignored. */
function isWithin(
  value: number | string,
  min: number | string | null,
  max: number | string | null,
): boolean {
  const tooLittle = typeof min === typeof value && min !== null && value < min;
  const tooMuch = typeof max === typeof value && max !== null && value > max;
  return !tooLittle && !tooMuch;
}

/**
 * Finds the choice that a reader means by its value, its label, either of them without letter case
 * and accents, or its number in the list. Exact matches come first, so that values which are
 * numbers keep their meaning.
 */
export function readChoice(text: string, choices: readonly FieldValue[]): string | null {
  const typed = text.trim();
  if (typed.length > maxChoiceLength) return null;
  const exact =
    choices.find(({ value }) => value === typed) ?? choices.find(({ label }) => label === typed);
  if (exact !== undefined) return exact.value;
  const folded = fold(typed);
  const alike = choices.filter(
    ({ label, value }) => folded !== "" && (fold(label) === folded || fold(value) === folded),
  );
  const [only, ...others] = alike;
  if (only !== undefined) return others.length === 0 ? only.value : null;
  const place = /^(\d{1,3})\s*[.):]?$/.exec(toAsciiDigits(typed));
  return place === null ? null : (choices[Number(place[1]) - 1]?.value ?? null);
}

// No label is longer than this, so longer texts need not be folded.
const maxChoiceLength = 500;

/**
 * Reads the reference of a file that the client has uploaded elsewhere: an https address, or the id
 * of a media file (letters, digits, `_`, `-`, `.`). Only the syntax is checked. Nothing is fetched,
 * so the receiver has to check size and type. Null for anything else, such as `data:` addresses,
 * which would carry the file itself through the conversation.
 */
function readFileReference(text: string): string | null {
  const written = text.trim();
  if (/^[A-Za-z0-9][\w.-]{7,127}$/.test(written)) return written;
  if (written.length > maxAddress || !/^https:\/\/\S+$/i.test(written)) return null;
  if (!URL.canParse(written)) return null;
  const { username, password, href } = new URL(written);
  return username === "" && password === "" ? href : null;
}

const maxAddress = 2048;

/**
 * Converts a number as readers of a language write it to digits with a decimal point. Grouping and
 * leading zeros are dropped, and the fraction stays as it was typed. Null for anything else.
 *
 * A single separator before three digits is read by the language's rule: `1.234` is 1234 in German
 * and 1.234 in English. Before any other number of digits it is a decimal separator: `3,50` is 3.50
 * in both. Digits of any script, spaces and apostrophes between thousands, and a currency sign are
 * accepted.
 *
 * @example
 * readNumber("1.234,50", "de"); // "1234.50"
 */
export function readNumber(text: string, language: string): string | null {
  if (text.length > maxNumberLength) return null;
  const match = /^([+-]?)([\d.,'٫]{1,40})$/.exec(normalizeSpelling(text));
  if (match === null) return null;
  const [, sign = "", body = ""] = match;
  const decimal = decimalOf(body, language);
  const at = decimal === null ? body.length : body.lastIndexOf(decimal);
  const whole = dropGrouping(body.slice(0, at));
  const fraction = body.slice(at + 1);
  if (whole === null || /\D/.test(fraction) || (decimal !== null && fraction === "")) return null;
  const plain = whole.replace(/^0+(\d)/, "$1") + (fraction === "" ? "" : `.${fraction}`);
  return sign === "-" && /[1-9]/.test(plain) ? `-${plain}` : plain;
}

const maxNumberLength = 100;

/**
 * Converts digits and signs to ASCII. `'` stands for separators that can only group thousands, and
 * `٫` for those that can only be decimal.
 */
function normalizeSpelling(text: string): string {
  return toAsciiDigits(text.normalize("NFKC"))
    .replace(/[\u200e\u200f\u061c]/gu, "")
    .replace(/[\u2010-\u2013\u2212]/gu, "-")
    .replace(/[、،]/gu, ",")
    .trim()
    .replace(/[.!。]$/u, "")
    .replace(/^([+-]?)\s*\p{Sc}\s*/u, "$1")
    .replace(/\s*\p{Sc}$/u, "")
    .replace(/(?<=\d)[\s’٬](?=\d)/gu, "'");
}

const arabicDecimal = "٫";

function decimalOf(body: string, language: string): string | null {
  if (body.includes(arabicDecimal)) return arabicDecimal;
  const last = /([.,])[^.,]*$/.exec(body)?.[1];
  if (last === undefined) return null;
  const other = last === "." ? "," : ".";
  if (body.includes(other) || body.includes("'")) return last;
  if (body.indexOf(last) !== body.lastIndexOf(last)) return null;
  const thousands = last === groupSeparator(language) && /^[1-9]\d{0,2}[.,]\d{3}$/.test(body);
  return thousands ? null : last;
}

/** Drops thousands separators, all of one kind. Groups of two digits are Indian. */
function dropGrouping(whole: string): string | null {
  if (/^\d*$/.test(whole)) return whole === "" ? "0" : whole;
  const separator = /\D/.exec(whole)?.[0] ?? "";
  const groups = whole.split(separator);
  const last = groups.length - 1;
  const fits = groups.every((group, index) => {
    if (index === 0) return /^\d{1,3}$/.test(group);
    return index === last ? /^\d{3}$/.test(group) : /^\d{2,3}$/.test(group);
  });
  return fits ? groups.join("") : null;
}

const separators = new Map<string, string>();

function groupSeparator(language: string): string {
  const known = separators.get(language);
  if (known !== undefined) return known;
  const made = createFormat(language)
    .formatToParts(1_234_567)
    .find(({ type }) => type === "group")?.value;
  if (separators.size < maxLanguages) separators.set(language, made ?? "");
  return made ?? "";
}

// Clients choose the language tag, so the cache needs a limit.
const maxLanguages = 200;

function createFormat(language: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(language);
  } catch {
    return new Intl.NumberFormat("en"); // RangeError: not a well-formed tag
  }
}
