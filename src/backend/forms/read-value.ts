import { isBlank } from "../../locales/plain-text.ts";
import { dateBound } from "./date-bound.ts";
import { matching } from "./pattern.ts";
import { readChoice } from "./read-choice.ts";
import { readDate } from "./read-date.ts";
import { readEmail } from "./read-email.ts";
import { readFileReference } from "./read-file.ts";
import { readNumber } from "./read-number.ts";
import type { FieldType, FormField } from "./types.ts";

/** What a value is read with, beside its field. */
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
  const text = typed.toWellFormed().replace(controls, "").normalize("NFC").trim();
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
    const value = pattern === null ? text : matching(pattern, text);
    const length = Array.from(value ?? "").length;
    return value !== null && within(length, min, max) ? value : null;
  },
  number: ({ min, max }, text, { language }) => {
    const value = readNumber(text, language);
    return value !== null && within(Number(value), min, max) ? value : null;
  },
  date: ({ min, max }, text, { language, now }) => {
    const value = readDate(text, language);
    const bound = (written: number | string | null): string | null =>
      typeof written === "string" ? dateBound(written, now) : null;
    return value !== null && within(value, bound(min), bound(max)) ? value : null;
  },
  email: (_, text) => readEmail(text),
  list: ({ values }, text) => readChoice(text, values),
  file: (_, text) => readFileReference(text),
};

/** Numbers by size, ISO days as text; a bound of another kind bounds nothing. */
function within(
  value: number | string,
  min: number | string | null,
  max: number | string | null,
): boolean {
  const tooLittle = typeof min === typeof value && min !== null && value < min;
  const tooMuch = typeof max === typeof value && max !== null && value > max;
  return !tooLittle && !tooMuch;
}
