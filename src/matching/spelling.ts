import { countEdits } from "../text.ts";

/** Finds the known word that a misspelt one most likely was meant to be. */
export interface Speller {
  /** The nearest known word; null when none is near, or the word is known or too short. */
  correct(word: string): string | null;
}

/** Shortest words, in letters, in which one mistake is forgiven, and two. */
const oneMistake = 5;
const twoMistakes = 8;
const maxWordLength = 40;

/**
 * @param words known words and how often each occurs; of equally near words the more common one
 *   wins
 */
export function createSpeller(words: ReadonlyMap<string, number>): Speller {
  const candidates = Map.groupBy([...words.keys()].filter(isCorrectable), (word) =>
    keyOf(word, word.length),
  );
  const correct = (word: string): string | null => {
    if (words.has(word) || !isCorrectable(word)) return null;
    let least = word.length >= twoMistakes ? 2 : 1;
    let best: string | null = null;
    for (let length = word.length - least; length <= word.length + least; length += 1) {
      for (const known of candidates.get(keyOf(word, length)) ?? []) {
        const distance = countEdits(word, known, least);
        if (distance > least) continue;
        // Too many words of four letters differ in one, so only swapped letters are forgiven there.
        if (word.length < oneMistake && sortLetters(word) !== sortLetters(known)) continue;
        const commoner = best === null || (words.get(known) ?? 0) > (words.get(best) ?? 0);
        if (distance < least || commoner) best = known;
        least = Math.min(least, distance);
      }
    }
    return best;
  };
  return { correct };
}

// The first letter is seldom wrong. Requiring it keeps the search short.
function keyOf(word: string, length: number): string {
  return `${word.charCodeAt(0)}:${length}`;
}

function isCorrectable(word: string): boolean {
  return word.length >= oneMistake - 1 && word.length <= maxWordLength && !/\d/.test(word);
}

function sortLetters(word: string): string {
  return word.split("").sort().join("");
}
