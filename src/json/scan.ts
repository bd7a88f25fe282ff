import { byteAt, skipSpace, plainTable } from "./octets.ts";
import { skipScalar } from "./scalar.ts";
import { type CompiledShape, namedMember, plainMember } from "./shape.ts";
import { skipValue } from "./skip.ts";
import { skipString } from "./string.ts";
import { decodeString } from "./text.ts";
import type { JsonArray, JsonNode, JsonObject, JsonScalar } from "./types.ts";

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
 * Validates a whole document by RFC 8259 and captures where the values lie that the shape reaches,
 * in one pass. A byte order mark before the document is tolerated (section 8.1 allows a reader
 * that). A name that occurs twice shows its last value. Depth is bounded only by the bytes;
 * recursion goes no deeper than the shape.
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
  return end < 0 ? null : { kind: scalarKind(byte), start, end };
}

const NO_FIELDS: ReadonlyMap<string, JsonNode> = new Map<string, JsonNode>();
const NO_ITEMS: readonly JsonNode[] = Object.freeze([]);

function scalarKind(byte: number): JsonScalar["kind"] {
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
      ? plainMember(shape, bytes, nameStart, nameEnd)
      : namedMember(shape, decodeString(bytes, nameStart, nameEnd));
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
