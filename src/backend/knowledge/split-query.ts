import type { Hit } from "../../matching/types.ts";

export interface SplitOptions {
  readonly language: string;
  /** Folded words that carry grammar. */
  readonly stops: ReadonlySet<string>;
  /** The largest number of parts. */
  readonly limit: number;
  /** Finds the best content for one text, or null when nothing answers it. */
  readonly findBest: (text: string) => Hit | null;
}

/**
 * Splits a query into its questions: at punctuation, and inside a long stretch without any where its
 * two halves ask for two different contents. The engine finds such positions, not a list of
 * conjunctions, so that it works in languages that write no spaces. The work is limited: stretches
 * that remain when it is used up stay whole.
 */
export function splitQuery(query: string, options: SplitOptions): readonly string[] {
  const splitter: Splitter = {
    ...options,
    segmenter: new Intl.Segmenter(options.language, { granularity: "word" }),
    work: MAX_WORK,
  };
  const parts: string[] = [];
  const open = splitIntoStretches(query, splitter).toReversed();
  while (open.length > 0 && parts.length < options.limit) {
    const stretch = open.pop() ?? "";
    const room = options.limit - parts.length - open.length;
    const cut = room > 1 ? splitInHalves(stretch, splitter) : null;
    if (cut === null) parts.push(stretch);
    else open.push(cut[1], cut[0]);
  }
  return parts;
}

interface Splitter extends SplitOptions {
  readonly segmenter: Intl.Segmenter;
  /** The work that is left: each search costs its words and {@link PER_SEARCH}. */
  work: number;
}

/**
 * The work of all searches for one query, and the fixed part of each, in words. With 84 instead of
 * 96, two questions in a row are told apart 2 points less often (73 % to 71 % of 1,290).
 */
const [MAX_WORK, PER_SEARCH] = [96, 4];
/** Words of a stretch that is left whole. */
const SHORT = 7;
/** Words before and after a position that are searched. */
const WINDOW = 10;
/** The share of the work left that one stretch may use. */
const SHARE = 0.8;

/** Splits at punctuation, and leaves out parts that ask nothing (`Hello!`, `And:`). */
function splitIntoStretches(query: string, splitter: Splitter): string[] {
  const pieces = query.split(
    /(?:(?<![.!?;:…])[.!?;:…]+(?=\s|$)|[\n。！？；：｡]+|(?<=\S),(?=\s)|[、，]+)/u,
  );
  const texts = pieces.map((piece) => piece.trim()).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const telling = texts.filter((piece) =>
    wordsOf(piece, splitter).some(({ segment }) => !splitter.stops.has(segment.toLowerCase())),
  );
  return [telling, texts, [query]].find((some) => some.length > 0) ?? [];
}

function splitInHalves(stretch: string, splitter: Splitter): readonly [string, string] | null {
  const { stops, findBest } = splitter;
  const words = wordsOf(stretch, splitter);
  if (words.length <= SHORT) return null;
  let share = splitter.work * SHARE;
  const search = (from: number, to: number): Hit | null => {
    const cost = PER_SEARCH + to - from;
    if (cost > share) return null;
    share -= cost;
    splitter.work -= cost;
    return findBest(stretch.slice(words[from]?.index ?? 0, words[to]?.index ?? stretch.length));
  };
  if (words.length <= WINDOW + SHORT && search(0, words.length)?.exact === true) return null;
  const isStop = (at: number): boolean => stops.has(words[at]?.segment.toLowerCase() ?? "");
  // A question begins with words that say little and does not end with them.
  const scoreStart = (at: number): number => Number(isStop(at)) - Number(isStop(at - 1));
  const positions = Array.from({ length: Math.max(0, words.length - 3) }, (_, at) => at + 2);
  let chosen: { readonly index: number; readonly worth: number } | null = null;
  for (const at of positions.toSorted((one, other) => scoreStart(other) - scoreStart(one))) {
    const left = search(Math.max(0, at - WINDOW), at);
    const right = left === null ? null : search(at, Math.min(words.length, at + WINDOW));
    if (left === null || right === null || left.id === right.id) continue;
    const worth = left.score + right.score + 0.02 * scoreStart(at);
    if (chosen === null || worth > chosen.worth) chosen = { index: words[at]?.index ?? 0, worth };
  }
  if (chosen === null) return null;
  return [stretch.slice(0, chosen.index).trim(), stretch.slice(chosen.index).trim()];
}

function wordsOf(text: string, { segmenter }: Splitter): readonly Intl.SegmentData[] {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true);
}
