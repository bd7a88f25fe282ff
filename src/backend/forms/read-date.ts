import { fold, toAsciiDigits } from "./fold.ts";

/** Months (1 to 12) by folded name in a language: full and short, alone and within a date. */
function readMonthNames(language: string): ReadonlyMap<string, number> {
  const known = tables.get(language);
  if (known !== undefined) return known;
  const made = make(language);
  if (tables.size < maxLanguages) tables.set(language, made);
  return made;
}

// Clients choose the language tag, so the cache needs a limit.
const maxLanguages = 200;
const tables = new Map<string, ReadonlyMap<string, number>>();

function make(language: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const options of styles) {
    const format = createFormat(language, options);
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2026, month - 1, 9));
      const at = parts.findIndex(({ type }) => type === "month");
      // In Basque, `Intl` gives the case ending as a literal behind the name.
      const ending = /^\p{L}+/u.exec(parts[at + 1]?.value ?? "")?.[0] ?? "";
      const key = fold(`${parts[at]?.value ?? ""}${ending}`.replace(/[.,]/gu, " "));
      if (/\p{L}/u.test(key) && !names.has(key)) names.set(key, month);
    }
  }
  return names;
}

const styles: readonly Intl.DateTimeFormatOptions[] = [
  { month: "long" },
  { month: "short" },
  { day: "numeric", month: "long", year: "numeric" },
  { day: "numeric", month: "short", year: "numeric" },
];

function createFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const fixed = { ...options, calendar: "gregory", numberingSystem: "latn", timeZone: "UTC" };
  try {
    return new Intl.DateTimeFormat(language, fixed);
  } catch {
    return new Intl.DateTimeFormat("en", fixed); // RangeError: not a well-formed tag
  }
}

/**
 * Converts a date as readers of a language write it to ISO 8601. Null for anything else, and for
 * an ambiguous date: years need four digits.
 *
 * It reads ISO 8601, the year first with any separator (`2026. 11. 21.`, `2026年11月21日`), the day
 * before the month, and the month's name in the language. Only the tag of the United States
 * (`en-us`) puts the month first. Without a region, `12/25/2026` is still read, because there is no
 * month 25.
 *
 * @example
 * readDate("3/4/2026", "fr"); // "2026-04-03"
 */
export function readDate(text: string, language: string): string | null {
  if (text.length > maxLength) return null;
  const written = toAsciiDigits(text.normalize("NFKC"))
    .replace(/[\u200e\u200f\u061c]/gu, "")
    .trim();
  return (
    readYearFirst(written, language) ??
    readYearLast(withoutWords(written), language) ??
    readNamedMonth(written, language)
  );
}

const maxLength = 60;

// A date picker may add a time, which is ignored: the reader picked a day.
const yearFirstForm =
  /^(\d{4})(?:\s*[-/.年년]\s*|\s+)(\d{1,2})(?:\s*[-/.月월]\s*|\s+)(\d{1,2})(?:\s*[.日일])?(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/u;

function readYearFirst(written: string, language: string): string | null {
  const [, year, month, day] = (yearFirstForm.exec(written) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  return toIsoDate(toGregorian(year, language), month, day);
}

const yearLastForm = /^(\d{1,2})(?:\s*[-/.]\s*|\s+)(\d{1,2})(?:\s*[-/.]\s*|\s+)(\d{4})\.?$/u;

function readYearLast(written: string, language: string): string | null {
  const [, first, second, year] = (yearLastForm.exec(written) ?? []).map(Number);
  if (first === undefined || second === undefined || year === undefined) return null;
  const full = toGregorian(year, language);
  if (/-us\b/i.test(language)) return toIsoDate(full, first, second);
  const dayFirst = toIsoDate(full, second, first);
  return dayFirst ?? (/^en$/i.test(language) ? toIsoDate(full, first, second) : null);
}

/** Removes the words of a numeric date, such as in Vietnamese: `21 tháng 11, 2026`. */
function withoutWords(written: string): string {
  return written
    .replace(/\b(?:ngày|tháng|thg|năm)(?![\p{L}\p{M}])/giu, " ")
    .replace(/,\s/gu, " ")
    .trim();
}

/** Day, month name and year in any clear order: `21 de noviembre de 2026`, `November 21, 2026`. */
function readNamedMonth(written: string, language: string): string | null {
  const numbers = written.match(/\d+/g) ?? [];
  const year = numbers.find((number) => number.length === 4);
  const day = numbers.find((number) => number.length < 3);
  if (numbers.length !== 2 || year === undefined || day === undefined) return null;
  const words = fold(
    written.replace(/\d+(?:st|nd|rd|th|er|º|ª)?/giu, " ").replace(/[.,()]/gu, " "),
  );
  const months = readMonthNames(language);
  const month = months.get(words) ?? findOnlyMonth(words.split(" "), months);
  return month === null ? null : toIsoDate(toGregorian(Number(year), language), month, Number(day));
}

/** The month that exactly one word names, if all others are date particles of the language. */
function findOnlyMonth(
  words: readonly string[],
  months: ReadonlyMap<string, number>,
): number | null {
  // Hebrew writes "in" as a letter before the name.
  const monthOf = (word: string): number | undefined =>
    months.get(word) ?? months.get(word.replace(/^ב/u, "")) ?? findAbbreviated(word, months);
  const found = words.flatMap((word) => monthOf(word) ?? []);
  const others = words.filter((word) => monthOf(word) === undefined && !smallWords.has(word));
  const [month, ...further] = found;
  return month === undefined || further.length > 0 || others.length > 0 ? null : month;
}

/** The only month that begins with a word of three letters or more, such as `Sept`. */
function findAbbreviated(word: string, months: ReadonlyMap<string, number>): number | undefined {
  if (word.length < 3) return undefined;
  const [month, ...others] = new Set(
    [...months].flatMap(([name, number]) => (name.startsWith(word) ? number : [])),
  );
  return others.length === 0 ? month : undefined;
}

const smallWords: ReadonlySet<string> = new Set(
  "of the de del d di do la le el den der il a e ko g г р року".split(" "),
);

/** Thai readers count the years of the Buddhist era, 543 more. */
function toGregorian(year: number, language: string): number {
  return /^th\b/i.test(language) && year >= 2400 ? year - 543 : year;
}

/**
 * Resolves the bound of a date field to ISO 8601. A bound is a date, or `today` with an offset in
 * days, months or years; today is the day in UTC, because the reader's zone is not known. Null for
 * anything else.
 *
 * @example
 * readDateBound("today-18y", Date.UTC(2026, 10, 21)); // "2008-11-21"
 */
export function readDateBound(written: string, now: number): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(written);
  if (iso !== null) return toIsoDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const relative = /^today(?:([+-]\d{1,5})([dmy]))?$/.exec(written);
  if (relative === null) return null;
  const today = new Date(now);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const offset = Number(relative[1] ?? 0);
  if (relative[2] === undefined || relative[2] === "d") {
    return toIsoDay(new Date(Date.UTC(year, month, day + offset)));
  }
  const months = relative[2] === "y" ? offset * 12 : offset;
  // A shorter month has its last day instead: a month after 31 January is 28 February.
  const last = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  return toIsoDay(new Date(Date.UTC(year, month + months, Math.min(day, last))));
}

/** `2026-11-21`, or null when the Gregorian calendar has no such day in years 1000 to 9999. */
function toIsoDate(year: number, month: number, day: number): string | null {
  if (year < 1000 || year > 9999) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? toIsoDay(date) : null;
}

function toIsoDay(date: Date): string | null {
  return Number.isFinite(date.getTime()) ? date.toISOString().slice(0, 10) : null;
}
