import { cutText } from "../text.ts";

/**
 * Makes a typed text safe to be inserted into a sentence. Control characters and marks that embed,
 * override or isolate a direction are removed, lone surrogates are replaced, and line breaks and tabs
 * become a space. The result may be empty.
 */
export function toPlainText(typed: string): string {
  if (PRINTABLE_ASCII.test(typed)) return typed.trim();
  return typed.toWellFormed().replace(LINE_BREAKS, " ").replace(INVISIBLE, "").trim();
}

/** Isolates the direction of a text from that of the sentence around it (Unicode Annex 9). */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/** True if one text has letters that run to the left, and the other has letters that run to the right. */
export function differInDirection(one: string, other: string): boolean {
  return (
    (RIGHT_TO_LEFT.test(one) && LEFT_TO_RIGHT.test(other)) ||
    (LEFT_TO_RIGHT.test(one) && RIGHT_TO_LEFT.test(other))
  );
}

/** Cuts a text to `limit` grapheme clusters, with an ellipsis if it had more. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // A cluster may have thousands of combining marks, so the length that is examined is limited.
  const head = cutText(text, limit * UNITS_PER_GRAPHEME);
  let graphemes = 0;
  for (const { index } of graphemesOf(head)) {
    if (graphemes === limit) return `${head.slice(0, index).trimEnd()}…`;
    graphemes++;
  }
  return head.length < text.length ? `${head.trimEnd()}…` : text;
}

/**
 * Finds the first control character or direction override in a text, and returns its code, or null.
 * Line breaks and tabs do not count, nor do the marks and isolates that scripts need.
 *
 * @example
 * findInvisible("Hello\u0000"); // "U+0000"
 */
export function findInvisible(text: string): string | null {
  const [found] = /(?![\t\n\r])\p{Cc}|[\u202A\u202B\u202D\u202E]/u.exec(text) ?? [];
  if (found === undefined) return null;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `U+${code}`;
}

/** Removes white space and invisible format characters from both ends of a text. */
export function trimInvisible(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && UNSEEN.test(text.charAt(begin))) begin += 1;
  while (end > begin && UNSEEN.test(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}

const UNSEEN = /[\s\p{Cf}]/u;

/** True if a text has only white space, controls and invisible format characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return segmenter.segment(text);
}

// The segmenter is created at the first use, because that takes milliseconds.
let segmenter: Intl.Segmenter | null = null;

const UNITS_PER_GRAPHEME = 32;
const PRINTABLE_ASCII = /^[ -~]*$/u;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
// Controls, bidi embeddings, overrides and isolates, byte order mark, interlinear annotations.
const INVISIBLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069\uFEFF\uFFF9-\uFFFB]/gu;
const RTL_SCRIPTS =
  "\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}\\p{Script=Mandaic}\\p{Script=Samaritan}\\p{Script=Hanifi_Rohingya}";
const RIGHT_TO_LEFT = new RegExp(`(?=\\p{L})[${RTL_SCRIPTS}]`, "u");
const LEFT_TO_RIGHT = new RegExp(`(?=\\p{L})[^${RTL_SCRIPTS}]`, "u");
const BLANK = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u;
