import type { Cell, CellState, FindingsAnswer, Review, Texts } from "../../../api/console.ts";
import { fill, languageName, listOf } from "../../shared/words.ts";
import { nameState, type Words } from "../words.ts";

export const STATES: readonly CellState[] = ["own", "shipped", "inherited", "missing", "never"];
export const FILTERS = [
  "all",
  "noneOfYours",
  "withWarnings",
  "neverSaid",
  "inDraft",
  "notReviewed",
] as const;
export type Filter = (typeof FILTERS)[number];
export const MARKS = ["warned", "inDraft", "reviewed", "reviewAgain"] as const;
type Mark = (typeof MARKS)[number];

/** The texts with what is known of them. */
export type Checked = Texts &
  FindingsAnswer & {
    readonly reviews: readonly Review[];
    readonly inDraft: (locale: string, key: string) => boolean;
  };

export function letterOf(cell: Cell | undefined, words: Words): string {
  return Array.from(words.letters)[STATES.indexOf(cell?.state ?? "missing")] ?? "";
}

function isWarned({ findings }: Checked, key: string, locale?: string): boolean {
  return findings.some((one) => one.key === key && (locale === undefined || one.locale === locale));
}

/** Gives the marks of a cell, beside whose text is said. */
function marksOf(texts: Checked, key: string, locale: string): readonly Mark[] {
  const review = texts.reviews.find((one) => one.key === key && one.locale === locale);
  return [
    ...(isWarned(texts, key, locale) ? ["warned" as const] : []),
    ...(texts.inDraft(locale, key) ? ["inDraft" as const] : []),
    ...(review === undefined ? [] : ([review.sourceChanged ? "reviewAgain" : "reviewed"] as const)),
  ];
}

export function classOf(texts: Checked, key: string, locale: string): string {
  const state = texts.cells[key]?.[locale]?.state ?? "missing";
  return [state, ...marksOf(texts, key, locale)].join(" ");
}

export function describeState(
  texts: Checked,
  key: string,
  locale: string,
  words: Words,
  language: string,
): string {
  const state = nameState(texts.cells[key]?.[locale]?.state ?? "missing", words);
  const marks = marksOf(texts, key, locale).map((mark) => words[mark]);
  return listOf([state, ...marks], language, "unit");
}

export function nameOf(
  texts: Checked,
  key: string,
  locale: string,
  words: Words,
  language: string,
): string {
  const origin = describeState(texts, key, locale, words, language);
  return `${key}, ${fill(words.saidOf, { language: languageName(locale, language), origin })}`;
}

export function fits(texts: Checked, key: string, filter: Filter): boolean {
  const states = Object.values(texts.cells[key] ?? {}).map(({ state }) => state);
  switch (filter) {
    case "all":
      return true;
    case "noneOfYours":
      return !states.includes("own");
    case "withWarnings":
      return isWarned(texts, key);
    case "neverSaid":
      return states.includes("never");
    case "inDraft":
      return texts.locales.some((locale) => texts.inDraft(locale, key));
    case "notReviewed":
      return texts.locales.some(
        (locale) => !texts.reviews.some((one) => one.key === key && one.locale === locale),
      );
  }
}
