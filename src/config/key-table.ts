/** Finds the place of a text in a list that never changes, or undefined. */
export type FindKey = (key: string) => number | undefined;

/**
 * An index of ten thousand keys in one stretch of memory: one asked for at random is in none of the processor's caches, and a
 * Map goes through its bucket and every entry there, each with a string elsewhere. Here it is a cell, and the one string.
 * Of equal texts the first is found.
 */
export function createKeyTable(keys: readonly (string | null)[]): FindKey {
  // At most half of the cells are taken, so that a search soon meets a free one.
  let size = 4;
  while (size < keys.length * 2) size *= 2;
  const mask = size - 1;
  const cells = new Int32Array(size * 2);
  const own = keys.map((key) => (key === null ? null : copied(key)));

  const find = (key: string): number | undefined => {
    const hash = hashOf(key);
    for (let cell = hash & mask; ; cell = (cell + 1) & mask) {
      const place = (cells[cell * 2 + 1] ?? 0) - 1;
      if (place === -1) return undefined;
      if (cells[cell * 2] === hash && own[place] === key) return place;
    }
  };

  for (const [place, key] of own.entries()) {
    if (key === null || find(key) !== undefined) continue;
    const hash = hashOf(key);
    let cell = hash & mask;
    while (cells[cell * 2 + 1] !== 0) cell = (cell + 1) & mask;
    cells[cell * 2] = hash;
    cells[cell * 2 + 1] = place + 1;
  }
  return find;
}

function hashOf(key: string): number {
  let hash = key.length;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** A string made just now: those that are made one after the other lie side by side, not between all that was read with each. */
function copied(key: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(key));
  return typeof copy === "string" ? copy : key;
}
