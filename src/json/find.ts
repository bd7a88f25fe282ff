import { byteAt, skipSpace } from "./octets.ts";

/**
 * The offset of the first occurrence of `needle` at or after `from`, or -1. Boyer-Moore-Horspool:
 * on an absent needle it looks at about one byte in `needle.length`, whatever the bytes hold, where
 * a native search for the first byte stops at every quote. An empty needle is found at `from`.
 */
export function findBytes(haystack: Uint8Array, needle: Uint8Array, from = 0): number {
  return findCompiled(haystack, needle, shiftsOf(needle), Math.max(0, from));
}

/**
 * True when some member of that name may hold anything but an empty array or null. False is certain
 * for a valid document that spells the name without escapes (see {@link hasEscapedAscii}); a
 * malformed one may give either.
 *
 * @param quotedKey UTF-8 of the name with its quotes, such as `"flags"`
 */
export function hasNonEmptyArrayMember(bytes: Uint8Array, quotedKey: Uint8Array): boolean {
  const shifts = shiftsOf(quotedKey);
  let at = findCompiled(bytes, quotedKey, shifts, 0);
  while (at >= 0) {
    const after = at + quotedKey.length;
    if (!isNothingMember(bytes, after)) return true;
    at = findCompiled(bytes, quotedKey, shifts, after);
  }
  return false;
}

/**
 * True when what follows a quoted name is not a member's value, an empty array, or null.
 *
 * @param pos offset after the name's closing quote
 */
export function isNothingMember(bytes: Uint8Array, pos: number): boolean {
  const colon = skipSpace(bytes, pos);
  // A name is always followed by a colon: without one this is a string value that looks like it.
  if (byteAt(bytes, colon) !== COLON) return true;
  const value = skipSpace(bytes, colon + 1);
  const first = byteAt(bytes, value);
  if (first === BRACKET_OPEN) {
    return byteAt(bytes, skipSpace(bytes, value + 1)) === BRACKET_CLOSE;
  }
  return first === LETTER_N;
}

const COLON = 0x3a;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const LETTER_N = 0x6e;

/** By the byte under the needle's last place: how far to shift until that byte can match again. */
function shiftsOf(needle: Uint8Array): Uint8Array {
  const last = needle.length - 1;
  const shifts = new Uint8Array(256).fill(Math.min(needle.length, 255));
  for (let k = 0; k < last; k++) shifts[needle[k] ?? 0] = Math.min(last - k, 255);
  return shifts;
}

function findCompiled(
  haystack: Uint8Array,
  needle: Uint8Array,
  shifts: Uint8Array,
  from: number,
): number {
  const last = needle.length - 1;
  if (last < 0) return from <= haystack.length ? from : -1;
  const end = haystack.length;
  const lastByte = needle[last] ?? 0;
  let i = from + last;
  while (i < end) {
    const byte = haystack[i] ?? 0;
    if (byte === lastByte) {
      let back = 1;
      while (back <= last && haystack[i - back] === needle[last - back]) back++;
      if (back > last) return i - last;
    }
    i += shifts[byte] ?? 1;
  }
  return -1;
}
