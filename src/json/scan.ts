import { type CompiledShape, findNamedMember, findPlainMember } from "./shape.ts";
import { decodeString } from "./text.ts";
import { byteAt, createPlainTable, skipScalar, skipSpace, skipString } from "./tokens.ts";
import type { JsonArray, JsonNode, JsonObject, JsonScalar } from "./types.ts";

// These are not imported: an import is read at each use, which costs time in the innermost loops.
const BRACE_CLOSE = 0x7d;
const BRACE_OPEN = 0x7b;
const BRACKET_CLOSE = 0x5d;
const BRACKET_OPEN = 0x5b;
const COLON = 0x3a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const SPACE = 0x20;
const PLAIN = createPlainTable();

/**
 * Validates a whole document by RFC 8259 and records where the values of the shape lie, in one pass.
 * A byte order mark before the document is ignored, as section 8.1 allows. If a name occurs twice,
 * its last value counts. Documents may be nested to any depth; the recursion goes no deeper than the
 * shape.
 *
 * @param bytes UTF-8; nothing is copied, and the nodes hold offsets into exactly these bytes
 * @returns the document's own node, or null when it is not valid JSON in valid UTF-8
 * @example
 * const ANSWERS = compileShape({ fields: { answers: { items: { fields: { message: {} } } } } });
 * const root = scan(new TextEncoder().encode('{"answers":[{"message":"Hello"}]}'), ANSWERS);
 */
export function scan(bytes: Uint8Array, shape: CompiledShape): JsonNode | null {
  const hasMark =
    byteAt(bytes, 0) === 0xef && byteAt(bytes, 1) === 0xbb && byteAt(bytes, 2) === 0xbf;
  const root = capture(bytes, skipSpace(bytes, hasMark ? 3 : 0), shape);
  return root !== null && skipSpace(bytes, root.end) === bytes.length ? root : null;
}

function capture(bytes: Uint8Array, start: number, shape: CompiledShape): JsonNode | null {
  const byte = byteAt(bytes, start);
  if (byte === QUOTE) {
    let i = start + 1;
    while (i < bytes.length && PLAIN[bytes[i] ?? 0] === 1) i++;
    const end = skipString(bytes, i);
    return end < 0 ? null : { kind: "string", start, end };
  }
  if (byte === BRACE_OPEN) {
    if (shape.opensObjects) return captureObject(bytes, start, shape);
    const end = skipValue(bytes, start);
    return end < 0 ? null : { kind: "object", start, end, fields: NO_FIELDS };
  }
  if (byte === BRACKET_OPEN) {
    if (shape.items !== null) return captureArray(bytes, start, shape.items);
    const end = skipValue(bytes, start);
    return end < 0 ? null : { kind: "array", start, end, items: NO_ITEMS };
  }
  const end = skipScalar(bytes, start);
  return end < 0 ? null : { kind: readScalarKind(byte), start, end };
}

const NO_FIELDS: ReadonlyMap<string, JsonNode> = new Map<string, JsonNode>();
const NO_ITEMS: readonly JsonNode[] = Object.freeze([]);

function readScalarKind(byte: number): JsonScalar["kind"] {
  if (byte === 0x74) return "true";
  if (byte === 0x66) return "false";
  return byte === 0x6e ? "null" : "number";
}

function captureObject(bytes: Uint8Array, start: number, shape: CompiledShape): JsonObject | null {
  const end = bytes.length;
  const fields = new Map<string, JsonNode>();
  let i = skipSpace(bytes, start + 1);
  let byte = byteAt(bytes, i);
  if (byte === BRACE_CLOSE) return { kind: "object", start, end: i + 1, fields };
  for (;;) {
    if (byte !== QUOTE) return null;
    const nameStart = i;
    i++;
    while (i < end && PLAIN[bytes[i] ?? 0] === 1) i++;
    const isPlain = i < end && bytes[i] === QUOTE;
    const nameEnd = isPlain ? i + 1 : skipString(bytes, i);
    if (nameEnd < 0) return null;
    i = nameEnd;
    byte = i < end ? (bytes[i] ?? 0) : 0;
    if (byte <= SPACE) {
      i = skipSpace(bytes, i);
      byte = byteAt(bytes, i);
    }
    if (byte !== COLON) return null;
    i++;
    byte = i < end ? (bytes[i] ?? 0) : 0;
    if (byte <= SPACE) i = skipSpace(bytes, i);
    const member = isPlain
      ? findPlainMember(shape, bytes, nameStart, nameEnd)
      : findNamedMember(shape, decodeString(bytes, nameStart, nameEnd));
    if (member === null) {
      i = skipValue(bytes, i);
      if (i < 0) return null;
    } else {
      const node = capture(bytes, i, member.shape);
      if (node === null) return null;
      fields.set(member.name, node);
      i = node.end;
    }
    byte = i < end ? (bytes[i] ?? 0) : 0;
    if (byte <= SPACE) {
      i = skipSpace(bytes, i);
      byte = byteAt(bytes, i);
    }
    if (byte === BRACE_CLOSE) return { kind: "object", start, end: i + 1, fields };
    if (byte !== COMMA) return null;
    i = skipSpace(bytes, i + 1);
    byte = byteAt(bytes, i);
  }
}

function captureArray(bytes: Uint8Array, start: number, shape: CompiledShape): JsonArray | null {
  const items: JsonNode[] = [];
  let i = skipSpace(bytes, start + 1);
  if (byteAt(bytes, i) === BRACKET_CLOSE) return { kind: "array", start, end: i + 1, items };
  for (;;) {
    const node = capture(bytes, i, shape);
    if (node === null) return null;
    items.push(node);
    i = skipSpace(bytes, node.end);
    if (byteAt(bytes, i) === BRACKET_CLOSE) return { kind: "array", start, end: i + 1, items };
    if (byteAt(bytes, i) !== COMMA) return null;
    i = skipSpace(bytes, i + 1);
  }
}

/**
 * Skips one whole value of any depth and validates it. It does not recurse, and allocates only
 * beyond {@link FULL} levels: the open brackets are the bits of a number (1 an object, 0 an array),
 * which is pushed to a list when it is full.
 *
 * Whitespace is tested in place rather than by a function: compact JSON has none, and this loop is
 * most of the cost of a rewritten answer.
 *
 * @param pos offset of the value's first byte
 * @returns the offset after the value, or -1
 */
function skipValue(bytes: Uint8Array, pos: number): number {
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
      if (byteAt(bytes, i) !== closingOf(open)) {
        wantsName = byte === BRACE_OPEN;
        continue;
      }
      // If it is empty, the loop below closes it like any other.
    } else {
      i = skipScalar(bytes, i);
      if (i < 0) return -1;
    }
    // A value ended before i: close brackets up to the next comma or the outermost end.
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
      if (byte !== closingOf(open)) return -1;
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

function closingOf(open: number): number {
  return (open & 1) === 1 ? BRACE_CLOSE : BRACKET_CLOSE;
}
