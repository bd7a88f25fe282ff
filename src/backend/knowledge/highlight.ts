import { escapeMarkup } from "../../locales/markup.ts";
import type { Analyser, Token } from "../matching/analysis.ts";
import { foldText } from "../matching/fold.ts";

/** A text with the words of a query marked in it. */
export interface Highlighted {
  /** HTML: everything escaped, `<strong>` around what matched. */
  readonly html: string;
  /** Stems of the query that stand in the text. */
  readonly stems: ReadonlySet<string>;
}

/** What is looked for: words of a query, by their stems, and the beginnings of those that are still being typed. */
export interface Sought {
  readonly stems: ReadonlyMap<string, string>;
  readonly beginnings: readonly string[];
}

/**
 * The words of a query that say something; all of them when none does.
 *
 * @param typing true: each may be the beginning of one
 */
export function soughtIn(
  query: string,
  language: string,
  analyser: Analyser,
  typing: boolean,
): Sought {
  const words = cut(query, language).filter(({ word }) => word);
  const tokens = words.map(({ text }) => ({ text, token: tokenOf(text, language, analyser) }));
  const telling = tokens.filter(({ token }) => !token.stop);
  const used = telling.length > 0 ? telling : tokens;
  return {
    stems: new Map(used.map(({ text, token }) => [token.stem, text])),
    beginnings: typing ? used.map(({ token }) => token.word).filter((word) => word.length > 1) : [],
  };
}

/** `text` is plain text, not HTML. */
export function highlight(
  text: string,
  sought: Sought,
  language: string,
  analyser: Analyser,
): Highlighted {
  const found = new Set<string>();
  let html = "";
  for (const { text: piece, word } of cut(text, language)) {
    const stem = word ? matched(tokenOf(piece, language, analyser), sought) : null;
    if (stem === null) {
      html += escapeMarkup(piece);
      continue;
    }
    found.add(stem);
    html += `<strong>${escapeMarkup(piece)}</strong>`;
  }
  return { html, stems: found };
}

/** The part of a long text around the first word that matches, cut between words. */
export function around(text: string, sought: Sought, language: string, analyser: Analyser): string {
  if (text.length <= LONGEST) return text;
  let first = 0;
  let at = 0;
  for (const { text: piece, word } of cut(text.slice(0, READ), language)) {
    if (word && matched(tokenOf(piece, language, analyser), sought) !== null) {
      first = at;
      break;
    }
    at += piece.length;
  }
  const from = first < LONGEST / 2 ? 0 : boundary(text, first - LONGEST / 4);
  const to = from + LONGEST >= text.length ? text.length : boundary(text, from + LONGEST);
  return `${from > 0 ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
}

/** Characters of a passage, and of a text that is looked through for one. */
const LONGEST = 240;
const READ = 20_000;

function matched({ word, stem }: Token, { stems, beginnings }: Sought): string | null {
  if (stems.has(stem)) return stem;
  return beginnings.find((beginning) => word.startsWith(beginning)) ?? null;
}

function tokenOf(piece: string, language: string, analyser: Analyser): Token {
  return analyser.tokenOf(foldText(piece, language));
}

// The nearest white space before `at`, else `at` itself, but never the middle of a surrogate pair.
function boundary(text: string, at: number): number {
  const space = text.lastIndexOf(" ", at);
  if (space > at - 30 && space > 0) return space;
  return /[\uDC00-\uDFFF]/.test(text.charAt(Math.floor(at))) ? Math.floor(at) + 1 : Math.floor(at);
}

const segmenters = new Map<string, Intl.Segmenter>();

function cut(text: string, language: string): { readonly text: string; readonly word: boolean }[] {
  let segmenter = segmenters.get(language);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(language, { granularity: "word" });
    segmenters.set(language, segmenter);
  }
  return [...segmenter.segment(text)].map(({ segment, isWordLike }) => ({
    text: segment,
    word: isWordLike === true,
  }));
}
