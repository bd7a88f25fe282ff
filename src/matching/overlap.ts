import type { Token } from "./analysis.ts";
import type { ExplainedWord } from "./types.ts";

/** How far the words of a question and those of one content's phrases explain each other. */
export interface Overlap {
  /** Weight of the question's significant words. */
  readonly weight: number;
  /** How much of that weight the content's words explain. */
  readonly explained: number;
  /** The words that it explains, as a number; general ones count less. */
  readonly words: number;
  /** Those of them that are in no list, since hardly any other content has them. */
  readonly special: number;
  /** Weight of unexplained words that are in no list: evidence against the content. */
  readonly foreign: number;
  /**
   * The likeness of its phrases: the largest share (0 to 1) of the words of both that explain each
   * other.
   */
  readonly likeness: number;
}

/** How far the words of a question explain others. Each pair is compared once. */
export type Relations = (asked: Token, other: Token) => number;

export function createRelations(): Relations {
  const known = new Map<Token, Map<Token, number>>();
  return (asked, other) => {
    let shares = known.get(asked);
    if (shares === undefined) known.set(asked, (shares = new Map()));
    let share = shares.get(other);
    if (share === undefined) shares.set(other, (share = measureRelation(asked, other)));
    return share;
  };
}

/** Lists the significant words, each once. */
export function chooseTellingWords(tokens: readonly Token[]): readonly Token[] {
  const stems = new Set<string>();
  return tokens.filter(({ stop, stem }) => !stop && !stems.has(stem) && stems.add(stem));
}

/**
 * @param asked the question's telling words
 * @param phrases those of each phrase of one content
 * @param weightOf the weight of a word, from 0
 */
export function overlapOf(
  asked: readonly Token[],
  phrases: readonly (readonly Token[])[],
  weightOf: (token: Token) => number,
  relations: Relations,
): Overlap {
  const best = new Map<Token, number>();
  let likeness = 0;
  let weight = 0;
  for (const token of asked) weight += weightOf(token);
  for (const phrase of phrases) {
    let both = weight;
    let same = 0;
    const here = new Map<Token, number>();
    for (const own of phrase) {
      let most = 0;
      for (const token of asked) {
        const share = relations(token, own);
        if (share === 0) continue;
        if (share > most) most = share;
        if (share > (here.get(token) ?? 0)) here.set(token, share);
      }
      both += weightOf(own);
      same += most * weightOf(own);
    }
    for (const [token, share] of here) {
      same += share * weightOf(token);
      if (share > (best.get(token) ?? 0)) best.set(token, share);
    }
    if (both > 0) likeness = Math.max(likeness, same / both);
  }
  let explained = 0;
  let words = 0;
  let foreign = 0;
  let special = 0;
  for (const token of asked) {
    const share = best.get(token) ?? 0;
    explained += share * weightOf(token);
    words += share * (token.share < 1 ? generalWord : 1);
    if (token.share === 1 && token.concepts.length === 0) {
      foreign += 1 - share;
      special += share;
    }
  }
  return { weight, explained, words, special, foreign, likeness };
}

/** Finds the words of a content that explain each word of a question. */
export function explainWords(
  asked: readonly Token[],
  phrases: readonly (readonly Token[])[],
  weightOf: (token: Token) => number,
): readonly ExplainedWord[] {
  return asked.map((token) => {
    let by: string | null = null;
    let share = 0;
    for (const own of phrases.flat()) {
      const one = measureRelation(token, own);
      if (one > share) [share, by] = [one, own.word];
    }
    return { word: token.word, weight: weightOf(token), by, share };
  });
}

const generalWord = 0.3;
/** The likenesses of two words that begin alike, of which one is part of the other, … */
const [sameBeginning, partOfOther, sameConcept, sameCharacters] = [0.7, 0.8, 0.6, 0.5];
/** Letters of a part that is significant; fewer Chinese characters or syllables are enough. */
const [shortestPart, shortestIdeographs] = [4, 2];

/** How far one word explains another, from 0 to 1. */
function measureRelation(one: Token, other: Token): number {
  if (one.stem === other.stem || one.word === other.word) return 1;
  return Math.max(formRelation(one, other), sharesConcept(one, other) ? sameConcept : 0);
}

function formRelation(one: Token, other: Token): number {
  const ideographic = isIdeographic(one.word) && isIdeographic(other.word);
  const shortest = ideographic ? shortestIdeographs : shortestPart;
  if (contains(one.word, other.stem, shortest) || contains(other.word, one.stem, shortest)) {
    return partOfOther;
  }
  if (ideographic) {
    const shared = sameCharacters * measureSharedCharacters(one.word, other.word);
    if (shared > 0) return shared;
  }
  const shorter = Math.min(one.stem.length, other.stem.length);
  let same = 0;
  while (same < shorter && one.stem[same] === other.stem[same]) same += 1;
  return same >= (ideographic ? shortestIdeographs : shortestPart) && same >= 0.75 * shorter
    ? sameBeginning
    : 0;
}

function contains(word: string, part: string, shortest: number): boolean {
  return part.length >= shortest && word.includes(part);
}

function sharesConcept(one: Token, other: Token): boolean {
  return one.concepts.some((name) => other.concepts.includes(name));
}

/** Dice's coefficient of two words, of which Chinese characters alone are compared. */
function measureSharedCharacters(one: string, other: string): number {
  let [own, others, same] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const character = one.charAt(at);
    if (one.indexOf(character) < at) continue;
    own += 1;
    if (character >= "\u3400" && character <= "\u9fff" && other.includes(character)) same += 1;
  }
  if (same === 0) return 0;
  for (let at = 0; at < other.length; at += 1) {
    if (other.indexOf(other.charAt(at)) === at) others += 1;
  }
  return (2 * same) / (own + others);
}

/** Chinese characters and Japanese and Korean syllables: each is a piece of meaning. */
function isIdeographic(word: string): boolean {
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(word);
}
