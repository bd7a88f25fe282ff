import { byteAt } from "./octets.ts";

/**
 * Walks over a number, `true`, `false` or `null` (RFC 8259, sections 3 and 6). What may follow is
 * the caller's to check: of `01` this takes the `0`.
 *
 * @returns the offset after the scalar, or -1
 */
export function skipScalar(bytes: Uint8Array, pos: number): number {
  switch (byteAt(bytes, pos)) {
    case 0x74:
      return spells(bytes, pos, TRUE);
    case 0x66:
      return spells(bytes, pos, FALSE);
    case 0x6e:
      return spells(bytes, pos, NULL);
    default:
      return skipNumber(bytes, pos);
  }
}

const TRUE = new TextEncoder().encode("true");
const FALSE = new TextEncoder().encode("false");
const NULL = new TextEncoder().encode("null");

function spells(bytes: Uint8Array, pos: number, word: Uint8Array): number {
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

/** One or more digits; -1 when there is none. */
function skipDigits(bytes: Uint8Array, pos: number): number {
  let i = pos;
  while (i < bytes.length && isDigit(bytes[i] ?? 0)) i++;
  return i === pos ? -1 : i;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
