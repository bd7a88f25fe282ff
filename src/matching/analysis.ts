import { languageOf } from "../locales/tag.ts";
import { stemmerFor } from "./stems.ts";
import { foldText } from "./fold.ts";
import type { LanguageWords } from "./types.ts";

/** One word of a text. */
export interface Token {
  /** As written, folded. */
  readonly word: string;
  readonly stem: string;
  /** The source of its character n-grams: the word, or its stem where grammar is half of it. */
  readonly spelling: string;
  /** True for a word that carries grammar, and so tells little about what a reader wants. */
  readonly stop: boolean;
  /** How much it tells compared to a word that is in no list: from 0 to 1. */
  readonly share: number;
  /** Names of the subjects it belongs to. */
  readonly concepts: readonly string[];
  /** True for a word of a subject that hardly any business is asked about. */
  readonly outOfDomain: boolean;
}

/** Cuts a text into tokens by the rules of one language. */
export interface Analyser {
  /** BCP 47, without region and script. */
  readonly language: string;
  tokensOf(text: string): Token[];
  /** One folded word as a token. */
  tokenOf(word: string): Token;
  readonly stops: ReadonlySet<string>;
  /** Words of the lists, which are spelt correctly. */
  readonly listed: ReadonlySet<string>;
  /** Lengths of the character n-grams that stand for a part of a word when phrases are compared. */
  readonly gramLengths: readonly number[];
  /** The same when sentences are classified. */
  readonly sentenceGramLengths: readonly number[];
}

/**
 * @param language BCP 47; its region and script change nothing here
 * @param words the meaning of that language's words on their own
 */
export function createAnalyser(language: string, words: LanguageWords | null = null): Analyser {
  const base = languageOf(language);
  const stem = stemmerFor(base);
  const stemsOf = (list: string | undefined): ReadonlySet<string> =>
    new Set([...foldWords(list, base)].map(stem));
  const stops = foldWords(words?.function, base);
  // In Korean, grammar follows nearly every word, even those that carry grammar.
  const stopStems = base === "ko" ? stops.union(stemsOf(words?.function)) : new Set<string>();
  const general = foldWords(words?.general, base);
  const generalStems = stemsOf(words?.general);
  const isGeneral = (word: string, stemmed: string): boolean =>
    general.has(word) || generalStems.has(stemmed) || /^\d+$/.test(word);
  const outOfDomain = stemsOf(words?.outOfDomain);
  const listed = listWords(words, base);
  const join = isUnspaced(base) ? joinerOf(listed) : (cut: string[]) => cut;
  const cut = (text: string): string[] => join(wordsOf(text, base));
  const concepts = conceptsByStem(words?.concepts ?? {}, (text) => cut(text).map(stem));
  const isAbout = (part: string): boolean => concepts.has(part) || outOfDomain.has(part);
  /** A compound is about the subject of its last part (`Nussallergie`, `제주공항`). */
  const headOf = (stemmed: string): string => {
    if (isAbout(stemmed)) return stemmed;
    for (let at = 2; stemmed.length - at >= (minHead[base] ?? Infinity); at += 1) {
      if (isAbout(stemmed.slice(at))) return stemmed.slice(at);
    }
    return stemmed;
  };
  // Inflections repeat a few thousand words, so their stems are cached.
  const known = new Map<string, Token>();
  const tokenOf = (word: string): Token => {
    const seen = known.get(word);
    if (seen !== undefined) return seen;
    const stemmed = stem(word);
    const stop = stops.has(word) || stopStems.has(stemmed);
    const share = stop ? stopShare : isGeneral(word, stemmed) ? generalShare : 1;
    const head = share < 1 ? stemmed : headOf(stemmed);
    const token = {
      word,
      stem: stemmed,
      spelling: base === "ko" ? stemmed : word,
      stop,
      share,
      concepts: stop ? none : (concepts.get(head) ?? none),
      outOfDomain: share === 1 && !concepts.has(head) && outOfDomain.has(head),
    };
    if (known.size < 100_000) known.set(word, token);
    return token;
  };
  return {
    language: base,
    tokensOf: (text) => cut(text).map(tokenOf),
    tokenOf,
    stops,
    listed,
    gramLengths: isUnspaced(base) ? [1, 2] : base === "ko" ? [2] : [3, 4],
    sentenceGramLengths: isUnspaced(base) || base === "ko" ? [1, 2, 3] : [2, 3, 4, 5],
  };
}

/** Letters of the last part of a compound, in languages that write compounds as one word. */
const minHead: Readonly<Record<string, number>> = {
  de: 5,
  nl: 5,
  sv: 5,
  da: 5,
  no: 5,
  fi: 5,
  hu: 5,
  ko: 2,
};
const stopShare = 0.1;
const generalShare = 0.5;
const none: readonly string[] = [];

/**
 * The folded words of a list. They have some weight, because the title `Who are you?` must be
 * found.
 */
export function foldWords(list: string | undefined, language: string): ReadonlySet<string> {
  const words = new Set((list ?? "").split(/\s+/).map((word) => foldText(word, language)));
  words.delete("");
  return words;
}

function listWords(words: LanguageWords | null, language: string): ReadonlySet<string> {
  const { function: grammar, general, outOfDomain, concepts = {} } = words ?? {};
  const ofConcepts = Object.values(concepts).flatMap((list) => list.split(","));
  return new Set([
    ...[grammar, general, outOfDomain].flatMap((list) => [...foldWords(list, language)]),
    ...ofConcepts.map((text) => foldText(text.trim(), language)),
  ]);
}

/** Joins words of the lists that the dictionary has cut (`外卖`). */
function joinerOf(listed: ReadonlySet<string>): (cut: string[]) => string[] {
  return (cut) => {
    const joined: string[] = [];
    for (let at = 0; at < cut.length;) {
      let size = Math.min(maxPieces, cut.length - at);
      while (size > 1 && !listed.has(cut.slice(at, at + size).join(""))) size -= 1;
      joined.push(cut.slice(at, at + size).join(""));
      at += size;
    }
    return joined;
  };
}

/** Pieces of one listed word. */
const maxPieces = 4;

/** Subjects by the stems of their words; an expression of several words is left out. */
function conceptsByStem(
  concepts: Readonly<Record<string, string>>,
  stemsOf: (text: string) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const byStem = new Map<string, string[]>();
  for (const [name, list] of Object.entries(concepts)) {
    for (const text of list.split(",")) {
      const [stem, ...others] = stemsOf(text);
      if (stem === undefined || others.length > 0) continue;
      const names = byStem.get(stem) ?? [];
      if (!names.includes(name)) byStem.set(stem, [...names, name]);
    }
  }
  return byStem;
}

/**
 * The words of a text, folded, in their order. Languages that write without spaces are cut by the
 * ICU dictionary (`Intl.Segmenter`); the others at everything that is neither letter nor digit. At
 * most 96 words are read.
 */
export function wordsOf(text: string, language: string): string[] {
  const folded = foldText(text, language).replace(hyphenInCode, "");
  if (unspaced.has(language) || foreignScript.test(folded)) return segmentFolded(folded, language);
  const words: string[] = [];
  for (const [word] of joinFolded(folded, language).matchAll(wordShape)) {
    if (words.push(word) === maxWords) break;
  }
  return words;
}

/** True for a language whose words are not set apart by spaces. */
function isUnspaced(language: string): boolean {
  return unspaced.has(language);
}

/** `E-24` and `E24` are the same code. */
const hyphenInCode = /(?<=(?<!\p{L})\p{L}{1,3})-(?=\d)/gu;
const maxWords = 96;
const wordShape = /[\p{L}\p{N}\p{M}]+/gu;
const unspaced: ReadonlySet<string> = new Set(["zh", "ja", "th", "yue", "lo", "km", "my"]);
// A Chinese, Japanese or Thai question in a shop that speaks another language still has words.
const foreignScript = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/;

/** Removes apostrophes of English contractions and possessives; others split (`l'adresse`). */
function joinFolded(folded: string, language: string): string {
  if (language !== "en" && language !== "tr" && language !== "uk") return folded;
  if (!folded.includes("'")) return folded;
  if (language === "en") return folded.replace(/'s\b/g, "").replace(/(?<=[a-z])'(?=[a-z])/g, "");
  // Turkish sets endings of names apart with it; Ukrainian writes it inside of words.
  return language === "tr" ? folded.replace(/'\p{L}+/gu, "") : folded.replaceAll("'", "");
}

function segmentFolded(folded: string, language: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenterFor(language).segment(folded)) {
    if (isWordLike === true && words.push(segment) === maxWords) break;
  }
  return words;
}

const segmenters = new Map<string, Intl.Segmenter>();

// Made once per language: a segmenter costs far more to make than to use.
function segmenterFor(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  // Any other language may be no valid tag at all, and the dictionaries go by script anyhow.
  const locale = unspaced.has(language) ? language : "und";
  const made = new Intl.Segmenter(locale, { granularity: "word" });
  segmenters.set(language, made);
  return made;
}
