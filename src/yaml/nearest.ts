import { countEdits } from "../text.ts";

/**
 * Finds the known name that a misspelt one most likely means, or null when none is near. It
 * ignores letter case, and takes `_` for `-`.
 *
 * @example
 * findNearest("lisen", ["listen", "limits"]); // "listen"
 * findNearest("banana", ["listen", "limits"]); // null
 */
export function findNearest(name: string, known: Iterable<string>): string | null {
  const plain = toPlain(name);
  // A very long name is not compared, because the cost is quadratic and no known name is near.
  if (plain.length > 80) return null;
  let best: string | null = null;
  let least = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const candidate of known) {
    const distance = countEdits(plain, toPlain(candidate), least - 1);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Returns the parameter `guess` of a finding about a misspelt name; none if no name is near. */
export function guessOf(name: string, known: Iterable<string>): { readonly guess?: string } {
  const guess = findNearest(name, known);
  return guess === null ? {} : { guess };
}

/** Returns the end of a message: ` Did you mean "listen"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const found = findNearest(name, known);
  return found === null ? "" : ` Did you mean "${found}"?`;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}
