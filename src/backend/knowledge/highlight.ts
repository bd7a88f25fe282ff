import { escapeMarkup } from "../../locales/markup.ts";
import type { Token } from "../../matching/analysis.ts";
import { partOf } from "./text-cuts.ts";
import type { Cut, Cutter } from "./text-cuts.ts";

/** A text with the words of a query marked in it. */
export interface Highlighted {
  /** HTML: everything escaped, `<strong>` around what matched. */
  readonly html: string;
  /** Stems of the query that stand in the text. */
  readonly stems: ReadonlySet<string>;
}

/** A query's words by stem, and the beginnings of those still being typed. */
export interface QueryWords {
  readonly stems: ReadonlyMap<string, string>;
  readonly beginnings: readonly string[];
}

/**
 * Returns the significant words of a query, or all of them when none is significant.
 *
 * @param typing true if each may be the beginning of a longer word
 */
export function soughtIn(query: string, cut: Cutter, typing: boolean): QueryWords {
  const { text, ends, tokens } = cut(query, false);
  const words = tokens.flatMap((token, at) =>
    token === null ? [] : [{ text: text.slice(ends[at - 1] ?? 0, ends[at]), token }],
  );
  const telling = words.filter(({ token }) => !token.stop);
  const used = telling.length > 0 ? telling : words;
  return {
    stems: new Map(used.map(({ text, token }) => [token.stem, text])),
    beginnings: typing ? used.map(({ token }) => token.word).filter((word) => word.length > 1) : [],
  };
}

/** `text` is cut plain text, not HTML. */
export function highlight({ text, ends, tokens }: Cut, sought: QueryWords): Highlighted {
  const found = new Set<string>();
  let html = "";
  let plainFrom = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const stem = findMatched(tokens[at] ?? null, sought);
    if (stem === null) continue;
    found.add(stem);
    const [from = 0, to] = [ends[at - 1], ends[at]];
    html += `${escapeMarkup(text.slice(plainFrom, from))}<strong>${escapeMarkup(text.slice(from, to))}</strong>`;
    plainFrom = to ?? text.length;
  }
  return { html: html + escapeMarkup(text.slice(plainFrom)), stems: found };
}

/** How many of the query's stems are in a text: as {@link highlight} finds them, without HTML. */
export function countFound({ tokens }: Cut, sought: QueryWords): number {
  let found: Set<string> | null = null;
  for (const token of tokens) {
    const stem = findMatched(token, sought);
    if (stem !== null) (found ??= new Set()).add(stem);
  }
  return found?.size ?? 0;
}

/** The part of a text around the first match, cut between words, with ellipses. */
export function cutPassage(text: string, sought: QueryWords, cut: Cutter): Cut {
  const whole = cutToRead(text, cut);
  return cutAroundMatch(text, whole, findFirstMatch(whole, sought), cut);
}

/** The same, or null when no word matches. */
export function cutMatchingPassage(text: string, sought: QueryWords, cut: Cutter): Cut | null {
  const whole = cutToRead(text, cut);
  const place = findFirstMatch(whole, sought);
  return place === -1 ? null : cutAroundMatch(text, whole, place, cut);
}

function cutToRead(text: string, cut: Cutter): Cut {
  return cut(text.length <= MAX_LENGTH ? text : text.slice(0, READ));
}

function findFirstMatch({ tokens }: Cut, sought: QueryWords): number {
  return tokens.findIndex((token) => findMatched(token, sought) !== null);
}

function cutAroundMatch(text: string, whole: Cut, place: number, cut: Cutter): Cut {
  if (text.length <= MAX_LENGTH) return whole;
  const first = place < 1 ? 0 : (whole.ends[place - 1] ?? 0);
  const from = first < MAX_LENGTH / 2 ? 0 : findBoundary(text, first - MAX_LENGTH / 4);
  const to = from + MAX_LENGTH >= text.length ? text.length : findBoundary(text, from + MAX_LENGTH);
  const before = from > 0 ? ELLIPSIS : "";
  const after = to < text.length ? ELLIPSIS : "";
  const told = text.slice(from, to).trim();
  const start = text.indexOf(told, from);
  return (
    partOf(whole, start, start + told.length, { before, after }) ?? cut(`${before}${told}${after}`)
  );
}

/** Characters of a passage, and of a text that is looked through for one. */
const MAX_LENGTH = 240;
const READ = 20_000;
const ELLIPSIS = "…";

function findMatched(token: Token | null, { stems, beginnings }: QueryWords): string | null {
  if (token === null) return null;
  const { word, stem } = token;
  if (stems.has(stem)) return stem;
  if (beginnings.length === 0) return null;
  return beginnings.find((beginning) => word.startsWith(beginning)) ?? null;
}

// The nearest white space before `at`, else `at` itself, but never the middle of a surrogate pair.
function findBoundary(text: string, at: number): number {
  const space = text.lastIndexOf(" ", at);
  if (space > at - 30 && space > 0) return space;
  return /[\uDC00-\uDFFF]/.test(text.charAt(Math.floor(at))) ? Math.floor(at) + 1 : Math.floor(at);
}
