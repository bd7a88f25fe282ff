import { asciiDigits } from "./digits.ts";

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
  if (text.length > maxLength) return null;
  const match = /^([+-]?)([\d.,'٫]{1,40})$/.exec(spelled(text));
  if (match === null) return null;
  const [, sign = "", body = ""] = match;
  const decimal = decimalOf(body, language);
  const at = decimal === null ? body.length : body.lastIndexOf(decimal);
  const whole = ungrouped(body.slice(0, at));
  const fraction = body.slice(at + 1);
  if (whole === null || /\D/.test(fraction) || (decimal !== null && fraction === "")) return null;
  const plain = whole.replace(/^0+(\d)/, "$1") + (fraction === "" ? "" : `.${fraction}`);
  return sign === "-" && /[1-9]/.test(plain) ? `-${plain}` : plain;
}

const maxLength = 100;

/**
 * ASCII digits and signs; `'` where only a thousands separator can be meant, `٫` where only a
 * decimal one can.
 */
function spelled(text: string): string {
  return asciiDigits(text.normalize("NFKC"))
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

/**
 * Digits without their thousands separators, of which there may be one kind; groups of two are
 * Indian ones.
 */
function ungrouped(whole: string): string | null {
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
  const made = newFormat(language)
    .formatToParts(1_234_567)
    .find(({ type }) => type === "group")?.value;
  if (separators.size < maxLanguages) separators.set(language, made ?? "");
  return made ?? "";
}

// Clients name the language: what is kept for one must not grow with what they send.
const maxLanguages = 200;

function newFormat(language: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(language);
  } catch {
    return new Intl.NumberFormat("en"); // RangeError: not a well-formed tag
  }
}
