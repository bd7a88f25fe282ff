import type { Hit } from "../../matching/types.ts";

export interface SplitOptions {
  readonly language: string;
  /** Folded words that carry grammar. */
  readonly stops: ReadonlySet<string>;
  /** Parts at most. */
  readonly limit: number;
  /** What one text finds: the best content, or null when nothing answers it. */
  readonly best: (text: string) => Hit | null;
}

/**
 * The questions in a query: at its punctuation, and within a long stretch without any, where two
 * halves ask for two different contents. Which words may stand at such a place is asked of the
 * engine and of no list of conjunctions, so that it works in languages that write no spaces.
 */
export function splitQuery(query: string, options: SplitOptions): readonly string[] {
  let searches = MOST_SEARCHES;
  const best = (text: string): Hit | null => {
    searches -= 1;
    return options.best(text);
  };
  const parts: string[] = [];
  const open = stretches(query, options).toReversed();
  while (open.length > 0) {
    const stretch = open.pop() ?? "";
    const room = options.limit - parts.length - open.length;
    const cut = room > 1 && searches > 0 ? halves(stretch, { ...options, best }) : null;
    if (cut === null) parts.push(stretch);
    else open.push(cut[1], cut[0]);
  }
  return parts.slice(0, options.limit);
}

const MOST_SEARCHES = 300;
/** Words of a stretch that is left whole. */
const SHORT = 7;
/** Places of a stretch that are tried. */
const MOST_PLACES = 32;

/** What stands between punctuation, but for what says nothing (`Hello!`, `And:`). */
function stretches(
  query: string,
  { language, stops }: Pick<SplitOptions, "language" | "stops">,
): string[] {
  const pieces = query.split(
    /(?:(?<![.!?;:…])[.!?;:…]+(?=\s|$)|[\n。！？；：｡]+|(?<=\S),(?=\s)|[、，]+)/u,
  );
  const spoken = pieces.map((piece) => piece.trim()).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const telling = spoken.filter((piece) =>
    wordsOf(piece, language).some(({ segment }) => !stops.has(segment.toLowerCase())),
  );
  return [telling, spoken, [query]].find((some) => some.length > 0) ?? [];
}

function halves(
  stretch: string,
  { language, stops, best }: SplitOptions,
): readonly [string, string] | null {
  const words = wordsOf(stretch, language);
  if (words.length <= SHORT || best(stretch)?.exact === true) return null;
  const isStop = (at: number): boolean => stops.has(words[at]?.segment.toLowerCase() ?? "");
  const step = Math.max(1, Math.ceil((words.length - 3) / MOST_PLACES));
  let chosen: { readonly at: number; readonly worth: number } | null = null;
  for (let place = 2; place <= words.length - 2; place += step) {
    const at = words[place]?.index ?? 0;
    const left = best(stretch.slice(0, at));
    const right = left === null ? null : best(stretch.slice(at));
    if (left === null || right === null || left.id === right.id) continue;
    // A question begins with words that say little and does not end with them.
    const worth =
      left.score + right.score + (isStop(place) ? 0.02 : 0) - (isStop(place - 1) ? 0.02 : 0);
    if (chosen === null || worth > chosen.worth) chosen = { at, worth };
  }
  if (chosen === null) return null;
  return [stretch.slice(0, chosen.at).trim(), stretch.slice(chosen.at).trim()];
}

function wordsOf(text: string, language: string): readonly Intl.SegmentData[] {
  const segments = new Intl.Segmenter(language, { granularity: "word" }).segment(text);
  return [...segments].filter(({ isWordLike }) => isWordLike === true);
}
