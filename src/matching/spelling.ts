/** Finds the known word that a misspelt one most likely was meant to be. */
export interface Speller {
  /** The nearest known word; null when none is near, or the word is known or too short. */
  correct(word: string): string | null;
}

/** Letters from which on one mistake is forgiven, and two. */
const oneMistake = 5;
const twoMistakes = 8;
const longestWord = 40;

/** @param words known words and how often each occurs; the commoner wins among equally near ones */
export function createSpeller(words: ReadonlyMap<string, number>): Speller {
  const alike = Map.groupBy([...words.keys()].filter(isCorrectable), (word) =>
    keyOf(word, word.length),
  );
  const correct = (word: string): string | null => {
    if (words.has(word) || !isCorrectable(word)) return null;
    let least = word.length >= twoMistakes ? 2 : 1;
    let best: string | null = null;
    for (let length = word.length - least; length <= word.length + least; length += 1) {
      for (const known of alike.get(keyOf(word, length)) ?? []) {
        const distance = distanceOf(word, known, least);
        if (distance > least) continue;
        // At four letters too many words differ by one: only swapped letters are forgiven.
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

// The first letter is seldom wrong; that it must be right makes the search short.
function keyOf(word: string, length: number): string {
  return `${word.charCodeAt(0)}:${length}`;
}

function isCorrectable(word: string): boolean {
  return word.length >= oneMistake - 1 && word.length <= longestWord && !/\d/.test(word);
}

function sortLetters(word: string): string {
  return word.split("").sort().join("");
}

const rowA = new Uint8Array(longestWord + 2);
const rowB = new Uint8Array(longestWord + 2);
const rowC = new Uint8Array(longestWord + 2);

/** Edits from one word to the other (optimal string alignment); above `most`, any larger number. */
export function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [twoUp, up, row] = [rowA, rowB, rowC];
  for (let at = 0; at <= other.length; at += 1) up[at] = at;
  for (let i = 1; i <= one.length; i += 1) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      const same = one.charCodeAt(i - 1) === other.charCodeAt(j - 1);
      let cost = Math.min(
        (up[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (up[j - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        i > 1 &&
        j > 1 &&
        one.charCodeAt(i - 1) === other.charCodeAt(j - 2) &&
        one.charCodeAt(i - 2) === other.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (twoUp[j - 2] ?? 0) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [twoUp, up, row] = [up, row, twoUp];
  }
  return up[other.length] ?? 0;
}
