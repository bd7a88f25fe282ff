/**
 * A 32-bit hash that is the same in every process and every release: FNV-1a over the pieces with a
 * separator between them, finished so that its low bits are well mixed too. For spreading, never
 * for secrets.
 */
export function stableHash(pieces: readonly (string | Uint8Array)[]): number {
  let hash = 0x811c9dc5;
  for (const piece of pieces) {
    for (const byte of typeof piece === "string" ? ENCODER.encode(piece) : piece) {
      hash = Math.imul(hash ^ byte, PRIME);
    }
    // 0xff occurs in no UTF-8: ["ab","c"] and ["a","bc"] differ.
    hash = Math.imul(hash ^ 0xff, PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const PRIME = 0x01000193;
const ENCODER = new TextEncoder();
