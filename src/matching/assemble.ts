import type { Analyser, Token } from "./analysis.ts";
import { createAnalyser } from "./analysis.ts";
import type { Classifier } from "./classifier.ts";
import { trainClassifier } from "./classifier.ts";
import type { PhraseIndex } from "./phrase-index.ts";
import { createPhraseIndex } from "./phrase-index.ts";
import { createVectoriser } from "./sentence-vectors.ts";
import type { Speller } from "./spelling.ts";
import { createSpeller } from "./spelling.ts";
import { createSynonyms } from "./synonyms.ts";
import type { Weigher } from "./text-weights.ts";
import { createWeigher } from "./text-weights.ts";
import type { MatcherOptions, Searchable } from "./types.ts";

/** All that a search reads. Contents are numbered from 0 in the order given. */
export interface Parts {
  readonly ids: readonly number[];
  readonly analyser: Analyser;
  readonly synonyms: (tokens: readonly Token[]) => readonly Token[];
  readonly speller: Speller;
  readonly weigher: Weigher;
  readonly index: PhraseIndex;
  /** The content of each phrase. */
  readonly owners: Int32Array;
  /** Contents by their phrases' words, as `phraseKey` writes them. */
  readonly exact: ReadonlyMap<string, ReadonlySet<number>>;
  /** Null for a base too large to train one in a few seconds, or without contents. */
  readonly classifier: Classifier | null;
}

/** Words of a text, as they are compared to tell that a question is a phrase. */
export function phraseKey(tokens: readonly Token[]): string {
  return tokens.map(({ word }) => word).join(" ");
}

/** Every content's classifier looks at every phrase: beyond this product there is none. */
const mostLessons = 6_000_000;

/** Builds the parts, and yields the share that is done, from 0 to 1, every few milliseconds. */
export function* assemble(
  contents: readonly Searchable[],
  { language, synonyms: groups = [] }: MatcherOptions,
): Generator<number, Parts> {
  const analyser = createAnalyser(language);
  const synonyms = createSynonyms(groups, (text) => analyser.tokensOf(text));
  const words = new Map<string, number>();
  for (const word of analyser.stops) words.set(word, 0);
  const exact = new Map<string, Set<number>>();
  const phrasesOf: (readonly Token[])[][] = [];
  for (const [content, { phrases }] of contents.entries()) {
    const kept: (readonly Token[])[] = [];
    for (const text of phrases) {
      const tokens = analyser.tokensOf(text);
      if (tokens.length === 0) continue;
      for (const { word } of tokens) words.set(word, (words.get(word) ?? 0) + 1);
      const key = phraseKey(tokens);
      const holders = exact.get(key);
      if (holders === undefined) exact.set(key, new Set([content]));
      else holders.add(content);
      kept.push(synonyms(tokens));
    }
    phrasesOf.push(kept);
    if (content % chunk === 0) yield (0.2 * content) / contents.length;
  }

  const phrases = phrasesOf.flat();
  const owners = Int32Array.from(phrasesOf.flatMap((own, at) => own.map(() => at)));
  const weigher = createWeigher(phrasesOf, analyser);
  yield 0.4;
  const builder = createPhraseIndex(phrases.length, weigher.featureCount);
  for (const [at, tokens] of phrases.entries()) {
    builder.add(weigher.weigh(tokens));
    if (at % chunk === 0) yield 0.4 + (0.2 * at) / phrases.length;
  }
  const index = builder.finish();
  yield 0.6;
  const speller = createSpeller(words);
  const trainable = phrases.length > 0 && contents.length * phrases.length <= mostLessons;
  let classifier: Classifier | null = null;
  if (trainable) {
    const vectoriser = createVectoriser(
      phrases,
      analyser.sentenceGramLengths,
      plainShare(phrases.length / contents.length),
    );
    const training = trainClassifier({ vectoriser, owners, contentCount: contents.length });
    for (let done = 0; ; done += 1) {
      const step = training.next();
      if (step.done === true) {
        classifier = step.value;
        break;
      }
      yield 0.6 + (0.4 * done) / contents.length;
    }
  }
  const ids = contents.map(({ id }) => id);
  return { ids, analyser, synonyms, speller, weigher, index, owners, exact, classifier };
}

/**
 * What stop words weigh to the classifier. A few phrases use them by chance, and teach it that
 * whoever says `how do I` wants this one; from many it learns which of them matter.
 */
function plainShare(phrasesPerContent: number): number {
  return Math.min(1, Math.max(0.5, phrasesPerContent / 20));
}

/** Contents or phrases between two yields. */
const chunk = 256;
