import type { Analyser, Token } from "./analysis.ts";
import type { Classifier } from "./classifier.ts";
import { identifiersOf, type KnownIdentifiers, withoutNamelessLetters } from "./identifiers.ts";
import type { InvertedIndex } from "./inverted-index.ts";
import type { LiteralSearch } from "./literal.ts";
import type { Speller } from "./spelling.ts";
import { chooseTellingWords } from "./overlap.ts";
import type { WeighedText, Weigher } from "./text-weights.ts";

/** The prepared data of a search. Contents and phrases are numbered from 0 in the given order. */
export interface Parts {
  /** Ids of the contents. */
  readonly ids: readonly number[];
  readonly analyser: Analyser;
  readonly replaceSynonyms: (tokens: readonly Token[]) => readonly Token[];
  readonly speller: Speller;
  readonly weigher: Weigher;
  /** The phrases by their features. */
  readonly index: InvertedIndex;
  readonly phraseWeights: Float32Array;
  /** The content of each phrase. */
  readonly owners: Int32Array;
  /** By content: the significant words of each of its phrases. */
  readonly telling: readonly (readonly (readonly Token[])[])[];
  /** Contents by their phrases' words, as `toPhraseKey` writes them. */
  readonly exact: ReadonlyMap<string, ReadonlySet<number>>;
  /** By content: the codes and numbers of its phrases; null where it has none. */
  readonly identifiers: readonly (KnownIdentifiers | null)[];
  /** Stems of words that a number or a letter follows. */
  readonly places: ReadonlySet<string>;
  readonly literal: LiteralSearch;
  /** Null for a base too large to train one in a few seconds, or without contents. */
  readonly classifier: Classifier | null;
}

/** Joins the words of a text, to compare whether a question is a phrase. */
export function toPhraseKey(tokens: readonly Token[]): string {
  return tokens.map(({ word }) => word).join(" ");
}

/** Reads the features of a question that do not depend on a content. */
export type AnalysedQuestion = ReturnType<typeof readQuestion>;

/** @param mayChoose true when it may choose one of a few contents by a letter: "b" */
export function readQuestion(text: string, parts: Parts, mayChoose: boolean) {
  const { analyser, weigher, exact } = parts;
  const typed = analyser.tokensOf(text);
  const words = typed.map((token) => correctToken(token, parts));
  const named = exact.get(toPhraseKey(typed));
  const isChoice = mayChoose || named !== undefined;
  const searched = isChoice ? words : withoutNamelessLetters(words, parts.places);
  const tokens = chooseMostTelling(parts.replaceSynonyms(searched), weigher);
  const telling = chooseTellingWords(tokens);
  const asked = weigher.weigh(tokens);
  const { nearest, covers } = similaritiesOf(asked, parts);
  const literal = telling.length > 0 ? parts.literal.find(typed) : null;
  for (const content of literal?.contents ?? []) {
    if (literal?.whole === true) covers[content] = 1;
    nearest[content] = Math.max(nearest[content] ?? 0, minShared);
  }
  return {
    words,
    /** The contents that have exactly this phrase. */
    named,
    /** The same, without its typing mistakes. */
    meant: named ?? exact.get(toPhraseKey(words)),
    identifiers: identifiersOf(text, typed, analyser.language),
    telling,
    outside: telling.filter((token) => token.share === 1 && !weigher.isAbout(token)),
    weight: asked.weight,
    nearest,
    covers,
    margins: parts.classifier?.margins(tokens, nearest),
    literal,
  };
}

/** Phrases that share less of the question's weight count as unrelated. */
const minShared = 0.08;
/**
 * A phrase's similarity is reduced by the words that it lacks, by its additional words, and always
 * a little.
 */
const [lacking, beyond, doubt] = [0.4, 0.4, 0.05];

/** From 0 to 1 for each content; 0 if it shares nothing with the question. */
interface Similarities {
  /** The similarity of its nearest phrase. */
  readonly nearest: Float32Array;
  /** The largest share of the question that one of its phrases holds. */
  readonly covers: Float32Array;
}

function similaritiesOf(
  { row, weight }: WeighedText,
  { ids, index, phraseWeights, owners }: Parts,
): Similarities {
  const shared = new Float32Array(owners.length);
  index.addProducts(shared, row);
  const nearest = new Float32Array(ids.length);
  const covers = new Float32Array(ids.length);
  const least = weight * minShared;
  for (let phrase = 0; phrase < owners.length; phrase += 1) {
    const same = shared[phrase] ?? 0;
    if (same <= least) continue;
    const content = owners[phrase] ?? 0;
    const lacks = Math.max(0, weight - same) * lacking;
    const has = Math.max(0, (phraseWeights[phrase] ?? 0) - same) * beyond;
    const near = same / (same + lacks + has + doubt);
    if (near > (nearest[content] ?? 0)) nearest[content] = near;
    const cover = same / weight;
    if (cover > (covers[content] ?? 0)) covers[content] = cover;
  }
  return { nearest, covers };
}

/**
 * Chooses the most significant words of a long question, in their order. Each word is compared with
 * every phrase that shares a piece of it, so this limits the cost of a search.
 */
function chooseMostTelling(tokens: readonly Token[], { weightOf }: Weigher): readonly Token[] {
  if (tokens.length <= maxWords) return tokens;
  const weights = new Map<Token, number>(tokens.map((token) => [token, weightOf(token)]));
  const weighed = [...weights].toSorted(([, one], [, other]) => other - one);
  const kept = new Set(weighed.slice(0, maxWords).map(([token]) => token));
  const seen = new Set<Token>();
  return tokens.filter((token) => kept.has(token) && !seen.has(token) && seen.add(token));
}

/** Different words of a question that are searched for. */
const maxWords = 32;

function correctToken(token: Token, { speller, analyser, weigher }: Parts): Token {
  if (weigher.isKnown(token)) return token;
  const word = speller.correct(token.word);
  return word === null ? token : analyser.tokenOf(word);
}
