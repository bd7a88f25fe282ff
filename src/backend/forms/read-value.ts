import { readMailAddress } from "../../locales/person.ts";
import { isBlank, trimInvisible } from "../../locales/plain-text.ts";
import { findMatching } from "./pattern.ts";
import { readDate, readDateBound } from "./read-date.ts";
import type { FieldType, FormField, FieldValue } from "./types.ts";
import { fold, toAsciiDigits } from "./fold.ts";

/** The context that a value is read with, beside its field. */
export interface Reading {
  readonly language: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The value that a message gives to a field, in the form that is sent to the webhook: numbers with
 * a point, days in ISO 8601, the value of a choice. Empty: an optional field was skipped, by an
 * empty message or a dash. Null: invalid.
 */
export function readValue(field: FormField, typed: string, reading: Reading): string | null {
  const text = trimInvisible(typed.toWellFormed().replace(controls, "").normalize("NFC"));
  if (text.length > maxTyped) return null;
  const skips = isBlank(text) || /^[-–—]$/.test(text);
  if (skips && !field.required) return "";
  return isBlank(text) ? null : readers[field.type](field, text, reading);
}

// In UTF-16 units. Every value is kept in the session and sent on: it must not be a document.
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

/** Numbers by size, ISO days as text; a bound of another kind bounds nothing. */
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
 * The value of the choice that a reader means: by its value, by its label, by either without letter
 * case and accents, or by its number in the list. The exact reading goes first, so that values
 * which are numbers keep their meaning.
 */
export function readChoice(text: string, choices: readonly FieldValue[]): string | null {
  const typed = text.trim();
  if (typed.length > longestChoice) return null;
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

// Longer than any label: what a reader types is folded, and a label is what they see on a button.
const longestChoice = 500;

/**
 * Reads the reference of a file that the client has uploaded elsewhere: an https address, or the id
 * of a media (letters, digits, `_`, `-`, `.`). Only its form is looked at: nothing is fetched, so
 * its size and its type are the receiver's to check. Null for anything else, such as `data:`
 * addresses, which would carry the file itself through the conversation.
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
 * A number as readers of a language write it, as plain text with a point: no grouping, no leading
 * zeros, the fraction as it was typed. Null when it is no number.
 *
 * A single separator before three digits means what the language means by it: `1.234` is 1234 in
 * German and 1.234 in English. Anywhere else it can only be a decimal one: `3,50` is 3.50 in both.
 * Digits of any script, spaces and apostrophes between thousands, and a currency sign are
 * understood.
 *
 * @example
 * readNumber("1.234,50", "de"); // "1234.50"
 */
export function readNumber(text: string, language: string): string | null {
  if (text.length > longestNumber) return null;
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

const longestNumber = 100;

/** ASCII digits and signs; `'` for thousands separators only, `٫` for decimal ones only. */
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

/** Digits without thousands separators of one kind; groups of two are Indian. */
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

// Clients name the language: what is kept for one must not grow with what they send.
const maxLanguages = 200;

function createFormat(language: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(language);
  } catch {
    return new Intl.NumberFormat("en"); // RangeError: not a well-formed tag
  }
}
