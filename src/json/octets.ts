/** 1 for ASCII characters that stand for themselves inside a string, 0 for all other bytes. */
export function plainTable(): Uint8Array {
  const table = new Uint8Array(256).fill(1, SPACE, 0x80);
  table[0x22] = 0;
  table[0x5c] = 0;
  return table;
}

const SPACE = 0x20;

/**
 * The byte at `pos`, 0 past the end: no rule of JSON accepts 0, so a truncated document fails at
 * the rule that misses a byte. The comparison is for speed: a place that has once read past an
 * array's end is compiled to slower code from then on.
 */
export function byteAt(bytes: Uint8Array, pos: number): number {
  return pos < bytes.length ? (bytes[pos] ?? 0) : 0;
}

/** Offset of the first byte from `pos` that is not whitespace (RFC 8259, 2), or `bytes.length`. */
export function skipSpace(bytes: Uint8Array, pos: number): number {
  const end = bytes.length;
  let i = pos;
  while (i < end) {
    const byte = bytes[i] ?? 0;
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    i++;
  }
  return i;
}
