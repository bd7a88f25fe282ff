import type { ContentItem } from "../content/types.ts";
import { wordsOf } from "./words.ts";

/** What a matcher makes of one question. */
export interface Match {
  /** The content that answers it, or null when none comes close enough. */
  readonly item: ContentItem | null;
  /** How well the best content fits, from 0 to 1, also when it does not come close enough. */
  readonly score: number;
  /** Share of the question's words that occur in no content, from 0 to 1. */
  readonly unknownWords: number;
  /** How much the question says at all: the weights of its words, added up. */
  readonly weight: number;
}

/** Finds the content that a question asks for. One per language. */
export interface Matcher {
  match(question: string): Match;
}

// Chosen so that half of a question's meaning must lie in a title, and half of the title's in the question.
const threshold = 0.5;

/**
 * A matcher over titles and alternative titles. A rare word weighs more than a common one (inverse document frequency over
 * contents), a word that occurs nowhere weighs the most. The score of a title is twice the weight it shares with the question
 * over the weight of both: the whole title, word for word, is 1.
 */
export function createMatcher(items: readonly ContentItem[], language: string): Matcher {
  const phrases = items.flatMap((item) =>
    [item.title, ...item.alternatives].map((text) => ({
      item,
      words: new Set(wordsOf(text, language)),
    })),
  );
  const holders = new Map<string, Set<number>>();
  for (const { item, words } of phrases) {
    for (const word of words) holders.set(word, (holders.get(word) ?? new Set()).add(item.id));
  }
  const weightOf = (word: string): number =>
    Math.log(1 + items.length / (1 + (holders.get(word)?.size ?? 0)));
  const weigh = (words: Iterable<string>): number => {
    let sum = 0;
    for (const word of words) sum += weightOf(word);
    return sum;
  };
  const weighed = phrases.map((phrase) => ({ ...phrase, weight: weigh(phrase.words) }));

  return {
    match(question) {
      const asked = new Set(wordsOf(question, language));
      const weight = weigh(asked);
      let best: { item: ContentItem; score: number } | null = null;
      for (const phrase of weighed) {
        const shared = weigh(asked.intersection(phrase.words));
        const score = shared === 0 ? 0 : (2 * shared) / (weight + phrase.weight);
        if (score > (best?.score ?? 0)) best = { item: phrase.item, score };
      }
      const unknown = [...asked].filter((word) => !holders.has(word)).length;
      return {
        item: best !== null && best.score >= threshold ? best.item : null,
        score: best?.score ?? 0,
        unknownWords: asked.size === 0 ? 0 : unknown / asked.size,
        weight,
      };
    },
  };
}
