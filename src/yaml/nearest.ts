/**
 * The known name a misspelt one most likely means, or null when none is near. Counts insertions,
 * deletions, substitutions and swaps of neighbours; letter case and `_` for `-` cost nothing.
 *
 * @example
 * nearest("lisen", ["listen", "limits"]); // "listen"
 * nearest("banana", ["listen", "limits"]); // null
 */
export function findNearest(name: string, known: Iterable<string>): string | null {
  const wanted = toPlain(name);
  // A long unknown name is compared with nothing: the cost is quadratic and the answer is no.
  if (wanted.length > 80) return null;
  let best: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, toPlain(candidate));
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** The parameter `guess` of a finding about a misspelt name; nothing where none is near. */
export function guessOf(name: string, known: Iterable<string>): { readonly guess?: string } {
  const guess = findNearest(name, known);
  return guess === null ? {} : { guess };
}

/** The end of a message: ` Did you mean "listen"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const found = findNearest(name, known);
  return found === null ? "" : ` Did you mean "${found}"?`;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        readCell(last, column) + 1,
        readCell(current, column - 1) + 1,
        readCell(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, readCell(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return readCell(last, b.length);
}

function readCell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
