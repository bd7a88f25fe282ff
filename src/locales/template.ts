import { quote } from "../json/quote.ts";
import type { ByteStore } from "./byte-store.ts";
import { isBlank } from "./plain-text.ts";
import type { Template, TextFormat } from "./types.ts";

/** A template made ready: its literal text is JSON-escaped UTF-8 already. */
export interface CompiledTemplate {
  /**
   * Where the complete JSON string stands when the template has no slot; null when it has, or when
   * its text is blank.
   */
  readonly fixed: Kept | null;
  /**
   * JSON-escaped literals (without quotes) and slot names, in order; empty when there is no slot.
   */
  readonly segments: readonly (Uint8Array | string)[];
  readonly format: TextFormat;
}

/** Bytes in the compiler's store. */
export interface Kept {
  readonly address: number;
  readonly length: number;
}

export type CompileTemplate = (template: Template) => CompiledTemplate;

/**
 * Compiles templates into a store and gives equal ones the same compiled object, so that many
 * instances with the same words share the memory. One per snapshot: what it keeps lives as long as
 * it does.
 */
export function createTemplateCompiler(store: ByteStore): CompileTemplate {
  const compiled = new Map<string, CompiledTemplate>();
  return (template) => {
    const key = JSON.stringify([template.format, template.parts]);
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const fresh = compile(template, store);
    compiled.set(key, fresh);
    return fresh;
  };
}

/**
 * A template with slots and its values as a complete JSON string in UTF-8, or null when a slot has
 * no value or nothing but blank would stand there. A value is inserted once: braces inside it stay
 * text.
 *
 * @param value the finished text for a slot (already escaped for the format), or null
 */
export function fill(
  template: CompiledTemplate,
  value: (slot: string) => string | null,
): Uint8Array | null {
  const pieces: Uint8Array[] = [];
  let length = 2;
  for (const segment of template.segments) {
    const piece = typeof segment === "string" ? escaped(value(segment)) : segment;
    if (piece === null) return null;
    pieces.push(piece);
    length += piece.length;
  }
  const json = new Uint8Array(length).fill(QUOTE);
  let at = 1;
  for (const piece of pieces) {
    json.set(piece, at);
    at += piece.length;
  }
  return json;
}

const QUOTE = 0x22;

function compile({ format, parts }: Template, store: ByteStore): CompiledTemplate {
  const keep = (bytes: Uint8Array): Kept => ({
    address: store.add(bytes),
    length: bytes.length,
  });
  if (parts.some((part) => typeof part !== "string")) {
    const segments = parts.map((part) => {
      if (typeof part !== "string") return part.slot;
      const { address, length } = keep(inner(part));
      return store.view(address, length);
    });
    return { fixed: null, segments, format };
  }
  const text = parts.filter((part) => typeof part === "string").join("");
  return { fixed: isBlank(text) ? null : keep(quote(text)), segments: [], format };
}

// A blank value is no value, so a filled template is never blank.
function escaped(text: string | null): Uint8Array | null {
  return text === null || isBlank(text) ? null : inner(text);
}

function inner(text: string): Uint8Array {
  return quote(text).subarray(1, -1);
}
