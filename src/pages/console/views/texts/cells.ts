import type {
  Cell,
  CellState,
  Draft,
  LineFinding,
  Review,
  Texts,
} from "../../../../api/console.ts";
import { fill, nameLanguage, listOf } from "../../../shared/words.ts";
import { nameState, type Words } from "../../words.ts";
import { changesLine } from "../context.ts";

export const STATES: readonly CellState[] = ["own", "shipped", "inherited", "missing", "never"];
export const FILTERS = [
  "all",
  "noneOfYours",
  "withWarnings",
  "mistakes",
  "without",
  "never",
  "inDraft",
  "notReviewed",
] as const;
export type CellFilter = (typeof FILTERS)[number];
/** Filters that only look at the first language; the others look at all of them. */
const OF_FIRST: ReadonlySet<CellFilter> = new Set([
  "noneOfYours",
  "without",
  "never",
  "notReviewed",
]);
export const MARKS = ["mistake", "warned", "inDraft", "reviewed", "reviewAgain"] as const;
type Mark = (typeof MARKS)[number];

/** The texts, with their reviews and notes. */
export type CheckedCell = Texts & {
  readonly reviews: readonly Review[];
  /** The notes of each text, by {@link cellKeyOf}. */
  readonly notes: ReadonlyMap<string, CellNotes>;
};

export interface CellNotes {
  readonly mistake: boolean;
  readonly warned: boolean;
  readonly inDraft: boolean;
  /** The draft's text for all channels; absent if the draft does not change it. */
  readonly text?: string;
}

export function cellKeyOf(key: string, locale: string): string {
  return `${key} ${locale}`;
}

/** Notes for each text whether the draft changes it, and the findings of the check. */
export function noteCells(
  bot: string,
  findings: readonly LineFinding[],
  draft: Draft | null,
): ReadonlyMap<string, CellNotes> {
  const notes = new Map<string, CellNotes>();
  const add = (key: string, locale: string, more: Partial<CellNotes>): void => {
    const before = notes.get(cellKeyOf(key, locale)) ?? unmarked;
    notes.set(cellKeyOf(key, locale), { ...before, ...more });
  };
  for (const { id, key, locale, text, instances } of draft?.changes ?? []) {
    if (!instances.includes(bot)) continue;
    add(key, locale, { inDraft: true, ...(id === key && text !== null && { text }) });
  }
  const isChanged = (key: string, locale: string): boolean =>
    draft?.changes.some((one) => changesLine(one, bot, locale, key)) === true;
  const drafted = draft?.findings ?? [];
  // In lines that the draft changes, its findings replace those of the files.
  const left = findings.filter(({ key, locale }) => !isChanged(key, locale));
  for (const { key, locale, severity } of [...left, ...drafted]) {
    if (key === undefined || locale === undefined) continue;
    add(key, locale, severity === "error" ? { mistake: true } : { warned: true });
  }
  return notes;
}

const unmarked: CellNotes = { mistake: false, warned: false, inDraft: false };

function notesOf({ notes }: CheckedCell, key: string, locale: string): CellNotes {
  return notes.get(cellKeyOf(key, locale)) ?? unmarked;
}

/** Returns a line's text in a language, as the draft changes it. */
export function sentenceOf(texts: CheckedCell, key: string, locale: string): string {
  return notesOf(texts, key, locale).text ?? texts.cells[key]?.[locale]?.text ?? "";
}

/** Returns who wrote the text of {@link sentenceOf}, and in which language. */
export function originOf(
  texts: CheckedCell,
  key: string,
  locale: string,
): Pick<Cell, "state" | "from"> {
  const cell = texts.cells[key]?.[locale] ?? { state: "missing" };
  const isDrafted = notesOf(texts, key, locale).text !== undefined;
  return isDrafted && cell.state !== "never" ? { state: "own" } : cell;
}

export function letterOf(cell: Cell | undefined, words: Words): string {
  return Array.from(words.letters)[STATES.indexOf(cell?.state ?? "missing")] ?? "";
}

/** Lists the marks of a text. */
export function marksOf(texts: CheckedCell, key: string, locale: string): readonly Mark[] {
  const { mistake, warned, inDraft } = notesOf(texts, key, locale);
  const review = texts.reviews.find((one) => one.key === key && one.locale === locale);
  return [
    ...(mistake ? ["mistake" as const] : []),
    ...(warned ? ["warned" as const] : []),
    ...(inDraft ? ["inDraft" as const] : []),
    ...(review === undefined ? [] : ([review.sourceChanged ? "reviewAgain" : "reviewed"] as const)),
  ];
}

export function classOf(texts: CheckedCell, key: string, locale: string): string {
  const state = texts.cells[key]?.[locale]?.state ?? "missing";
  return [state, ...marksOf(texts, key, locale)].join(" ");
}

function describeState(
  texts: CheckedCell,
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
  texts: CheckedCell,
  key: string,
  locale: string,
  words: Words,
  language: string,
): string {
  const origin = describeState(texts, key, locale, words, language);
  return `${key}, ${fill(words.saidOf, { language: nameLanguage(locale, language), origin })}`;
}

/** True for a text that a filter shows. */
export function fitsCell(
  texts: CheckedCell,
  key: string,
  locale: string,
  filter: CellFilter,
): boolean {
  const state = texts.cells[key]?.[locale]?.state ?? "missing";
  const { mistake, warned, inDraft } = notesOf(texts, key, locale);
  switch (filter) {
    case "all":
      return true;
    case "noneOfYours":
      return state !== "own" && !inDraft;
    case "withWarnings":
      return warned;
    case "mistakes":
      return mistake;
    case "without":
      return state === "missing" || state === "inherited";
    case "never":
      return state === "never";
    case "inDraft":
      return inDraft;
    case "notReviewed":
      return !texts.reviews.some(
        (one) => one.key === key && one.locale === locale && !one.sourceChanged,
      );
  }
}

/** True for a line that a filter shows. */
export function fits(texts: CheckedCell, key: string, filter: CellFilter, first: string): boolean {
  if (filter === "all") return true;
  const locales = OF_FIRST.has(filter) ? [first] : texts.locales;
  return locales.some((locale) => fitsCell(texts, key, locale, filter));
}

/** True for a filter that also examines languages without a column. */
export function looksAtAll(filter: CellFilter): boolean {
  return filter !== "all" && !OF_FIRST.has(filter);
}
