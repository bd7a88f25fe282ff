import type { JsonNode, JsonString } from "./types.ts";

/**
 * The text of a string node, with escapes decoded. A lone surrogate escape stays a lone
 * surrogate, as with JSON.parse.
 *
 * @param bytes the bytes that {@link scan} found the node in
 * @throws SyntaxError or TypeError for other bytes
 */
export function textOf(bytes: Uint8Array, node: JsonString): string {
  return decodeString(bytes, node.start, node.end);
}

/** The text of a string; null for anything else. */
export function readString(bytes: Uint8Array, node: JsonNode | undefined): string | null {
  return node?.kind === "string" ? textOf(bytes, node) : null;
}

/** A member of an object, or undefined for anything else. */
export function findMember(node: JsonNode | null | undefined, name: string): JsonNode | undefined {
  return node?.kind === "object" ? node.fields.get(name) : undefined;
}

/** True for the string `""`. */
export function isEmptyString(node: JsonNode): boolean {
  return node.kind === "string" && node.end - node.start === 2;
}

/**
 * A value as it is written: the JSON text from its first byte to its last, such as `-1.50e3` or
 * `"caf\u00e9"`.
 *
 * @param bytes the bytes that {@link scan} found the node in
 */
export function rawOf(bytes: Uint8Array, node: JsonNode): string {
  return UTF8.decode(bytes.subarray(node.start, node.end));
}

/** The text of a string, or a number or boolean as it is written; null for anything else. */
export function readScalar(bytes: Uint8Array, node: JsonNode): string | null {
  if (node.kind === "string") return textOf(bytes, node);
  if (node.kind === "object" || node.kind === "array" || node.kind === "null") return null;
  return rawOf(bytes, node);
}

/** Decodes the string between two offsets, quotes included. */
export function decodeString(bytes: Uint8Array, start: number, end: number): string {
  // For flags and keys, joining a few characters is cheaper than calling a decoder.
  if (end - start <= SHORT) {
    let text = "";
    let i = start + 1;
    for (; i < end - 1; i++) {
      const byte = bytes[i] ?? 0;
      if (byte >= 0x80 || byte === BACKSLASH) break;
      text += String.fromCharCode(byte);
    }
    if (i === end - 1) return text;
  }
  const parsed: unknown = JSON.parse(UTF8.decode(bytes.subarray(start, end)));
  if (typeof parsed !== "string") throw new TypeError("The bytes hold no string there.");
  return parsed;
}

const BACKSLASH = 0x5c;
const SHORT = 34;

const UTF8 = new TextDecoder();
