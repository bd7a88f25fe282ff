// These are not imported, because V8 reads an import again at each use, also in the innermost loops.
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const QUOTE = 0x22;
const SPACE = 0x20;
const PLAIN = createPlainTable();

/**
 * Skips the rest of a string and validates it: no control characters, only the escapes of RFC
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

/**
 * Skips a number, `true`, `false` or `null` (RFC 8259, sections 3 and 6). The caller checks what
 * follows: of `01` this skips the `0`.
 *
 * @returns the offset after the scalar, or -1
 */
export function skipScalar(bytes: Uint8Array, pos: number): number {
  switch (byteAt(bytes, pos)) {
    case 0x74:
      return skipWord(bytes, pos, TRUE);
    case 0x66:
      return skipWord(bytes, pos, FALSE);
    case 0x6e:
      return skipWord(bytes, pos, NULL);
    default:
      return skipNumber(bytes, pos);
  }
}

/** Returns the offset of the first byte from `pos` that is not whitespace (RFC 8259, 2). */
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

/**
 * Returns the byte at `pos`, or 0 past the end. No rule of JSON accepts 0, so a truncated document
 * fails where a byte is missing. The comparison is faster than a read past the end of an array, after
 * which V8 compiles slower code.
 */
export function byteAt(bytes: Uint8Array, pos: number): number {
  return pos < bytes.length ? (bytes[pos] ?? 0) : 0;
}

/** Makes a table with 1 for ASCII characters that need no escape in a string, and 0 for all other bytes. */
export function createPlainTable(): Uint8Array {
  const table = new Uint8Array(256).fill(1, SPACE, 0x80);
  table[QUOTE] = 0;
  table[BACKSLASH] = 0;
  return table;
}

/** Returns the offset after the escape or multi-byte character that begins here; -1 for any other byte. */
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

/** The bytes other than `u` that may follow a backslash. */
const SHORT_ESCAPE = tableOf('"\\/bfnrt');
const HEX = tableOf("0123456789abcdefABCDEF");

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of new TextEncoder().encode(characters)) table[byte] = 1;
  return table;
}

/**
 * Skips a UTF-8 sequence (RFC 3629, section 4). Returns -1 for overlong forms, surrogate halves, code
 * points above U+10FFFF, and stray or missing continuation bytes.
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

const TRUE = new TextEncoder().encode("true");
const FALSE = new TextEncoder().encode("false");
const NULL = new TextEncoder().encode("null");

function skipWord(bytes: Uint8Array, pos: number, word: Uint8Array): number {
  for (let k = 0; k < word.length; k++) if (byteAt(bytes, pos + k) !== word[k]) return -1;
  return pos + word.length;
}

function skipNumber(bytes: Uint8Array, pos: number): number {
  let i = pos;
  if (byteAt(bytes, i) === 0x2d) i++;
  // A leading zero stands alone: digits after it are not part of this number.
  if (byteAt(bytes, i) === 0x30) i++;
  else i = skipDigits(bytes, i);
  if (i >= 0 && byteAt(bytes, i) === 0x2e) i = skipDigits(bytes, i + 1);
  if (i >= 0 && (byteAt(bytes, i) | 0x20) === 0x65) {
    const sign = byteAt(bytes, i + 1);
    i = skipDigits(bytes, sign === 0x2b || sign === 0x2d ? i + 2 : i + 1);
  }
  return i;
}

/** Skips one or more digits; -1 when there is none. */
function skipDigits(bytes: Uint8Array, pos: number): number {
  let i = pos;
  while (i < bytes.length && isDigit(bytes[i] ?? 0)) i++;
  return i === pos ? -1 : i;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
