import type { Token } from "./analysis.ts";
import { createAnalyser } from "./analysis.ts";
import type { Classifier } from "./classifier.ts";
import { createLazyClassifier, trainClassifier } from "./classifier.ts";
import { identifiersOf, joinIdentifiers, type KnownIdentifiers } from "./identifiers.ts";
import { createInvertedIndex } from "./inverted-index.ts";
import { createLiteralSearch } from "./literal.ts";
import { type Parts, toPhraseKey } from "./question.ts";
import { createSearch } from "./search.ts";
import { createVectoriser } from "./sentence-vectors.ts";
import { chooseTellingWords } from "./overlap.ts";
import { createSpeller } from "./spelling.ts";
import { createWeigher } from "./text-weights.ts";
import type { Matcher, MatcherOptions, Searchable } from "./types.ts";

/**
 * Creates a matcher over the phrases of these contents. Neither this nor a search throws, whatever
 * the texts are.
 *
 * @example
 * const matcher = createMatcher([{ id: 1, phrases: ["Delivery times"] }], { language: "en" });
 * matcher.search("how long is the delivery time?").hits[0]?.id; // 1
 */
export function createMatcher(contents: readonly Searchable[], options: MatcherOptions): Matcher {
  const steps = assemble(contents, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return createSearch(step.value);
  }
}

/** As {@link createMatcher}, in slices of some milliseconds, between which the event loop runs. */
export async function buildMatcher(
  contents: readonly Searchable[],
  options: MatcherOptions,
): Promise<Matcher> {
  const steps = assemble(contents, options);
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return createSearch(step.value);
    if (performance.now() - began < SLICE) continue;
    await new Promise((resolve) => setTimeout(resolve));
    began = performance.now();
  }
}

/** Milliseconds of work between two pauses. */
const SLICE = 15;

/** Training compares every content with every phrase. Above this product it is left out. */
const MAX_COMPARISONS = 6_000_000;

/** Builds the parts, and yields every few milliseconds. */
function* assemble(
  contents: readonly Searchable[],
  { language, synonyms: groups = [], words: known = null, training = "all" }: MatcherOptions,
): Generator<void, Parts> {
  const analyser = createAnalyser(language, known);
  const replaceSynonyms = createSynonyms(groups, (text) => analyser.tokensOf(text));
  const words = new Map<string, number>([...analyser.listed].map((word) => [word, 0]));
  const exact = new Map<string, Set<number>>();
  const contentPhrases: (readonly Token[])[][] = [];
  const identifiers: (KnownIdentifiers | null)[] = [];
  const originals: (readonly Token[])[] = [];
  for (const [content, { phrases }] of contents.entries()) {
    const own: (readonly Token[])[] = [];
    const ownIdentifiers: Parameters<typeof joinIdentifiers>[0][number][] = [];
    for (const text of phrases) {
      const tokens = analyser.tokensOf(text);
      if (tokens.length === 0) continue;
      for (const { word } of tokens) words.set(word, (words.get(word) ?? 0) + 1);
      const key = toPhraseKey(tokens);
      exact.set(key, (exact.get(key) ?? new Set()).add(content));
      own.push(replaceSynonyms(tokens));
      originals.push(tokens);
      ownIdentifiers.push({ identifiers: identifiersOf(text, tokens, analyser.language), tokens });
    }
    identifiers.push(joinIdentifiers(ownIdentifiers));
    contentPhrases.push(own);
    if (content % CHUNK === 0) yield;
  }

  const phrases = contentPhrases.flat();
  const owners = Int32Array.from(contentPhrases.flatMap((own, at) => own.map(() => at)));
  const weigher = createWeigher(contentPhrases, analyser);
  const weighed = yield* mapInSteps(phrases, (tokens) => weigher.weigh(tokens));
  let classifier: Classifier | null = null;
  if (phrases.length > 0 && contents.length * phrases.length <= MAX_COMPARISONS) {
    const share = measurePlainShare(phrases.length / contents.length);
    const vectoriser = createVectoriser(phrases, analyser.sentenceGramLengths, share);
    const vectors = yield* mapInSteps(phrases, (tokens) => vectoriser.vectorOf(tokens));
    const data = { vectoriser, phrases: vectors, owners, contentCount: contents.length };
    classifier = training === "all" ? yield* trainClassifier(data) : createLazyClassifier(data);
  }
  return {
    ids: contents.map(({ id }) => id),
    analyser,
    replaceSynonyms,
    speller: createSpeller(words),
    weigher,
    index: createInvertedIndex(
      weighed.map(({ row }) => row),
      weigher.featureCount,
    ),
    phraseWeights: Float32Array.from(weighed, ({ weight }) => weight),
    owners,
    telling: contentPhrases.map((own) => own.map(chooseTellingWords)),
    exact,
    identifiers,
    places: new Set(identifiers.flatMap((one) => one?.numbers.map(({ place }) => place) ?? [])),
    literal: createLiteralSearch(originals, owners),
    classifier,
  };
}

function* mapInSteps<From, To>(
  all: readonly From[],
  map: (one: From) => To,
): Generator<void, To[]> {
  const mapped: To[] = [];
  for (const one of all) {
    mapped.push(map(one));
    if (mapped.length % CHUNK === 0) yield;
  }
  return mapped;
}

/** Contents or phrases between two yields. */
const CHUNK = 256;

/**
 * Weighs stop words: from few phrases, the classifier would learn accidental uses of `how do I`.
 */
function measurePlainShare(phrasesPerContent: number): number {
  return Math.min(1, Math.max(0.5, phrasesPerContent / 20));
}

/** Creates a function that replaces synonyms by the first of their group. */
function createSynonyms(
  groups: readonly (readonly string[])[],
  tokensOf: (text: string) => readonly Token[],
): (tokens: readonly Token[]) => readonly Token[] {
  // Keyed by the first stem of what is replaced. The longest rule is tried first.
  const rules = new Map<string, { from: readonly Token[]; to: readonly Token[] }[]>();
  for (const group of groups) {
    const [to, ...others] = group.map((text) => tokensOf(text)).filter((list) => list.length > 0);
    if (to === undefined) continue;
    for (const from of others) {
      const first = from[0]?.stem ?? "";
      const known = rules.get(first) ?? [];
      known.push({ from, to });
      known.sort((one, other) => other.from.length - one.from.length);
      rules.set(first, known);
    }
  }
  if (rules.size === 0) return (tokens) => tokens;
  return (tokens) => {
    const out: Token[] = [];
    for (let at = 0; at < tokens.length;) {
      const rule = rules
        .get(tokens[at]?.stem ?? "")
        ?.find(({ from }) => from.every((token, k) => token.stem === tokens[at + k]?.stem));
      const token = tokens[at];
      if (rule !== undefined) out.push(...rule.to);
      else if (token !== undefined) out.push(token);
      at += rule?.from.length ?? 1;
    }
    return out;
  };
}
