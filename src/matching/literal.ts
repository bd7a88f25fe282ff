import type { Token } from "./analysis.ts";

/** How a short question occurs, word for word, in a longer phrase. */
export interface LiteralFind {
  /** The contents with such a phrase. */
  readonly contents: ReadonlySet<number>;
  /** True in a script without spaces; else it may be the beginning or the end of other words. */
  readonly whole: boolean;
}

/** Finds questions that occur literally in a phrase, however a dictionary cuts the phrase. */
export interface LiteralSearch {
  /** Null for a question too short or too long for it, and for one that too many contents have. */
  find(asked: readonly Token[]): LiteralFind | null;
}

/** @param owners the content of each phrase */
export function createLiteralSearch(
  phrases: readonly (readonly Token[])[],
  owners: Int32Array,
): LiteralSearch {
  const [spaced, unspaced] = [" ", ""].map((gap) => createText(phrases, gap));
  return {
    find(asked) {
      const compact = join(asked, "");
      const whole = isUnspaced(compact);
      const text = whole ? unspaced : spaced;
      const words = whole ? compact : join(asked, " ");
      if (text === undefined || words.length > maxWords || words.length < shortestOf(compact)) {
        return null;
      }
      const contents = new Set<number>();
      for (const sought of whole ? [words] : [` ${words}`, `${words} `]) {
        for (const phrase of text.phrasesWith(sought)) {
          contents.add(owners[phrase] ?? -1);
          if (contents.size > maxContents) return null;
        }
      }
      return contents.size === 0 ? null : { contents, whole };
    },
  };
}

/** The words of longer questions are evidence enough. */
const maxWords = 32;
/** A question that more contents have is too vague to find one of them. */
const maxContents = 16;

/** Two characters are a word in Chinese; other scripts spell theirs with more. */
function shortestOf(text: string): number {
  return /[\u30a0-\u30ff\u3400-\u9fff]/.test(text) ? 2 : isUnspaced(text) ? 3 : 4;
}

/** True when the whole text is Chinese, Japanese, Thai, Lao, Burmese or Khmer. */
function isUnspaced(text: string): boolean {
  return /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u9fff]+$/.test(text);
}

interface Text {
  /** The numbers of the phrases in which a text occurs, once for each occurrence. */
  phrasesWith(sought: string): Iterable<number>;
}

/** Joins all phrases to one text, because searching one string is always fast. */
function createText(phrases: readonly (readonly Token[])[], gap: string): Text {
  const lines = phrases.map((tokens) => `${gap}${join(tokens, gap)}${gap}\n`);
  const text = lines.join("");
  const ends = new Int32Array(lines.length);
  let end = 0;
  for (const [at, line] of lines.entries()) ends[at] = end += line.length;
  return {
    *phrasesWith(sought) {
      for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at)) {
        let [low, high] = [0, ends.length];
        while (low < high) {
          const middle = (low + high) >>> 1;
          if ((ends[middle] ?? 0) > at) high = middle;
          else low = middle + 1;
        }
        yield low;
        at = ends[low] ?? text.length;
      }
    },
  };
}

function join(tokens: readonly Token[], gap: string): string {
  return tokens.map(({ word }) => word).join(gap);
}
