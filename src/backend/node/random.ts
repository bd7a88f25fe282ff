import { randomFillSync } from "node:crypto";

/**
 * Bytes from Node's cryptographic source, fetched many at a time: every fetch costs as much as a
 * thousand bytes do.
 */
export function randomFromPool(): (length: number) => Uint8Array {
  const pool = new Uint8Array(poolSize);
  let used = poolSize;
  return (length) => {
    if (length > poolSize / 4) return randomFillSync(new Uint8Array(length));
    if (used + length > poolSize) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    // What was given out is nowhere else.
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  };
}

const poolSize = 4096;
