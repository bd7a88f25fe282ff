import { byteAt, plainTable } from "./octets.ts";

// Not imported: an import is read anew at each use, and these stand in the innermost loops.
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const QUOTE = 0x22;
const PLAIN = plainTable();

/**
 * Walks over the rest of a string and validates it: no control characters, only the escapes of RFC
 * 8259 section 7, only the UTF-8 of RFC 3629 section 4.
 *
 * @param pos an offset inside the string: after its opening quote, or after any whole character
 * @returns the offset after the closing quote, or -1
 */
export function skipString(bytes: Uint8Array, pos: number): number {
  const end = bytes.length;
  let i = pos;
  for (;;) {
    while (i < end && PLAIN[bytes[i] ?? 0] === 1) i++;
    if (i < end && bytes[i] === QUOTE) return i + 1;
    i = skipSpecial(bytes, i);
    if (i < 0) return -1;
  }
}

/** The offset after the escape or multi-byte character that begins here; -1 for anything else. */
function skipSpecial(bytes: Uint8Array, pos: number): number {
  const first = byteAt(bytes, pos);
  if (first !== BACKSLASH) return skipMultibyte(bytes, pos, first);
  const escape = byteAt(bytes, pos + 1);
  if (escape !== LETTER_U) return SHORT_ESCAPE[escape] === 1 ? pos + 2 : -1;
  const isQuad =
    HEX[byteAt(bytes, pos + 2)] === 1 &&
    HEX[byteAt(bytes, pos + 3)] === 1 &&
    HEX[byteAt(bytes, pos + 4)] === 1 &&
    HEX[byteAt(bytes, pos + 5)] === 1;
  return isQuad ? pos + 6 : -1;
}

/** The bytes that may follow a backslash, `u` apart. */
const SHORT_ESCAPE = tableOf('"\\/bfnrt');
const HEX = tableOf("0123456789abcdefABCDEF");

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of new TextEncoder().encode(characters)) table[byte] = 1;
  return table;
}

/**
 * From the first byte of a UTF-8 sequence (RFC 3629, section 4) to after it, or -1: overlong forms,
 * surrogate halves, code points above U+10FFFF, and stray or missing continuation bytes are
 * refused.
 */
function skipMultibyte(bytes: Uint8Array, pos: number, first: number): number {
  if (first < 0xc2 || first > 0xf4) return -1;
  const second = byteAt(bytes, pos + 1);
  if (first < 0xe0) return isContinuation(second) ? pos + 2 : -1;
  const third = byteAt(bytes, pos + 2);
  if (first < 0xf0) {
    const low = first === 0xe0 ? 0xa0 : 0x80;
    const high = first === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && isContinuation(third) ? pos + 3 : -1;
  }
  const low = first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xf4 ? 0x8f : 0xbf;
  const fourth = byteAt(bytes, pos + 3);
  const isSequence =
    second >= low && second <= high && isContinuation(third) && isContinuation(fourth);
  return isSequence ? pos + 4 : -1;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
