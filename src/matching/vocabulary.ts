/**
 * Numbers for hashes, in the order in which they were first seen. An open-addressing table of
 * 32-bit integers.
 */
export interface Vocabulary {
  readonly size: number;
  /** The number of a hash, a new one for a new hash. */
  add(hash: number): number;
  /** The number of a hash, or -1. */
  find(hash: number): number;
}

export function createVocabulary(): Vocabulary {
  let mask = 1023;
  let hashes = new Int32Array(mask + 1);
  let numbers = new Int32Array(mask + 1).fill(-1);
  let size = 0;

  const slotOf = (hash: number): number => {
    let slot = hash & mask;
    while (numbers[slot] !== -1 && hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = (): void => {
    const [oldHashes, oldNumbers] = [hashes, numbers];
    mask = mask * 2 + 1;
    hashes = new Int32Array(mask + 1);
    numbers = new Int32Array(mask + 1).fill(-1);
    for (const [at, number] of oldNumbers.entries()) {
      if (number === -1) continue;
      const hash = oldHashes[at] ?? 0;
      const slot = slotOf(hash);
      hashes[slot] = hash;
      numbers[slot] = number;
    }
  };

  return {
    get size() {
      return size;
    },
    add(hash) {
      let slot = slotOf(hash);
      const known = numbers[slot] ?? -1;
      if (known !== -1) return known;
      if (size * 2 > mask) {
        grow();
        slot = slotOf(hash);
      }
      hashes[slot] = hash;
      numbers[slot] = size;
      size += 1;
      return size - 1;
    },
    find: (hash) => numbers[slotOf(hash)] ?? -1,
  };
}
