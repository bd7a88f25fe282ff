import { byteAt, skipSpace, plainTable } from "./octets.ts";
import { skipScalar } from "./scalar.ts";
import { skipString } from "./string.ts";

// Not imported: an import is read anew at each use, and these stand in the innermost loops.
const BRACE_CLOSE = 0x7d;
const BRACE_OPEN = 0x7b;
const BRACKET_CLOSE = 0x5d;
const BRACKET_OPEN = 0x5b;
const COLON = 0x3a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const SPACE = 0x20;
const PLAIN = plainTable();

/**
 * Walks over one whole value of any depth and validates it. It does not recurse, and allocates only
 * past {@link FULL} levels: the open brackets are the bits of a number (1 an object, 0 an array),
 * which goes to a list when it is full.
 *
 * Whitespace is tested where it may stand rather than in a function: in compact JSON there is none,
 * and this loop is most of what a rewritten answer costs.
 *
 * @param pos offset of the value's first byte
 * @returns the offset after the value, or -1
 */
export function skipValue(bytes: Uint8Array, pos: number): number {
  const end = bytes.length;
  let outer: number[] | null = null;
  let open = 0;
  let level = 0;
  let wantsName = false;
  let i = pos;
  for (;;) {
    // A value begins here, or a member's name.
    let byte = i < end ? (bytes[i] ?? 0) : 0;
    if (byte <= SPACE) {
      i = skipSpace(bytes, i);
      byte = byteAt(bytes, i);
    }
    if (byte === QUOTE) {
      i++;
      while (i < end && PLAIN[bytes[i] ?? 0] === 1) i++;
      if (i < end && bytes[i] === QUOTE) i++;
      else {
        i = skipString(bytes, i);
        if (i < 0) return -1;
      }
      if (wantsName) {
        wantsName = false;
        byte = i < end ? (bytes[i] ?? 0) : 0;
        if (byte <= SPACE) {
          i = skipSpace(bytes, i);
          byte = byteAt(bytes, i);
        }
        if (byte !== COLON) return -1;
        i++;
        continue;
      }
    } else if (wantsName) return -1;
    else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      if (level === FULL) {
        outer ??= [];
        outer.push(open);
        open = 0;
        level = 0;
      }
      open = (open << 1) | (byte === BRACE_OPEN ? 1 : 0);
      level++;
      i = skipSpace(bytes, i + 1);
      if (byteAt(bytes, i) !== closing(open)) {
        wantsName = byte === BRACE_OPEN;
        continue;
      }
      // Empty: the loop below closes it like any other.
    } else {
      i = skipScalar(bytes, i);
      if (i < 0) return -1;
    }
    // A value has ended before i. Close what ends here too, up to the next comma or the end of the
    // outermost value.
    for (;;) {
      if (level === 0) return i;
      byte = i < end ? (bytes[i] ?? 0) : 0;
      if (byte <= SPACE) {
        i = skipSpace(bytes, i);
        byte = byteAt(bytes, i);
      }
      if (byte === COMMA) {
        i++;
        wantsName = (open & 1) === 1;
        break;
      }
      if (byte !== closing(open)) return -1;
      i++;
      open >>= 1;
      level--;
      if (level === 0 && outer !== null && outer.length > 0) {
        open = outer.pop() ?? 0;
        level = FULL;
      }
    }
  }
}

/** Levels that one small integer holds. */
const FULL = 30;

function closing(open: number): number {
  return (open & 1) === 1 ? BRACE_CLOSE : BRACKET_CLOSE;
}
