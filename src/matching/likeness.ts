import { type Analyser, createAnalyser, type Token } from "./analysis.ts";
import { identifiersOf } from "./identifiers.ts";
import { chooseTellingWords, createRelations, overlapOf } from "./overlap.ts";
import type { LanguageWords } from "./types.ts";

/** A short text, read to be compared with others of its language. */
export interface ReadText {
  /** The significant words, each once; all words if none is significant. */
  readonly telling: readonly Token[];
  /** Codes and numbers. Texts with different ones ask for something else. */
  readonly named: string;
}

/** A piece of a text: a word with its stems, or the text between words, without stems. */
export interface TextPiece {
  readonly text: string;
  /** Stems of the significant words in it. */
  readonly stems: readonly string[];
}

/** Compares the short texts of one language, such as questions. Pure. */
export interface Comparer {
  readonly read: (text: string) => ReadText;
  /** How far the words of both texts explain each other, from 0 to 1. */
  readonly likeness: (one: ReadText, other: ReadText) => number;
  /** Cuts a text at its words. The pieces joined are the text. */
  readonly cut: (text: string) => readonly TextPiece[];
}

/**
 * @param language BCP 47
 * @param words the meaning of that language's words on their own
 */
export function createComparer(language: string, words: LanguageWords | null): Comparer {
  const analyser = createAnalyser(language, words);
  return {
    read: (text) => readText(text, analyser),
    likeness(one, other) {
      if (one.named !== other.named) return 0;
      if (one.telling.length === 0 || other.telling.length === 0) return 0;
      return overlapOf(one.telling, [other.telling], weigh, createRelations()).likeness;
    },
    cut(text) {
      const segments = segmenterOf(analyser.language).segment(text);
      return Array.from(segments, ({ segment, isWordLike }) => ({
        text: segment,
        stems: isWordLike === true ? stemsOf(analyser.tokensOf(segment)) : [],
      }));
    },
  };
}

function readText(text: string, analyser: Analyser): ReadText {
  const tokens = analyser.tokensOf(text);
  const telling = chooseTellingWords(tokens);
  const codes = [...identifiersOf(text, tokens, analyser.language).codes];
  const numbers = tokens.flatMap(({ word }) => (/^\p{Nd}+$/u.test(word) ? [word] : []));
  return {
    telling: telling.length > 0 ? telling : tokens,
    named: [...new Set([...codes, ...numbers])].toSorted().join(" "),
  };
}

function weigh({ share }: Token): number {
  return share;
}

function stemsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.filter(({ stop }) => !stop).map(({ stem }) => stem);
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Segmenters cost far more to make than to use. */
function segmenterOf(language: string): Intl.Segmenter {
  const locale = Intl.Segmenter.supportedLocalesOf(language).at(0) ?? "und";
  const known = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: "word" });
  segmenters.set(locale, known);
  return known;
}
