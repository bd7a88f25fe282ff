import { fold } from "./fold.ts";

/**
 * The months (1 to 12) by their names in a language, folded: whole and short, alone and inside a
 * date.
 */
export function monthNames(language: string): ReadonlyMap<string, number> {
  const known = tables.get(language);
  if (known !== undefined) return known;
  const made = make(language);
  if (tables.size < maxLanguages) tables.set(language, made);
  return made;
}

// Clients name the language: what is kept for one must not grow with what they send.
const maxLanguages = 200;
const tables = new Map<string, ReadonlyMap<string, number>>();

function make(language: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const options of styles) {
    const format = newFormat(language, options);
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2026, month - 1, 9));
      const at = parts.findIndex(({ type }) => type === "month");
      // Basque cases come as a literal that is glued to the name.
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

function newFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const fixed = { ...options, calendar: "gregory", numberingSystem: "latn", timeZone: "UTC" };
  try {
    return new Intl.DateTimeFormat(language, fixed);
  } catch {
    return new Intl.DateTimeFormat("en", fixed); // RangeError: not a well-formed tag
  }
}
