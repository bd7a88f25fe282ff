// Suite: slow
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { quote } from "../../src/json/quote.ts";
import { scan } from "../../src/json/scan.ts";
import { compileShape } from "../../src/json/shape.ts";
import { splice } from "../../src/json/splice.ts";
import { textOf } from "../../src/json/text.ts";
import type { Edit, JsonNode, Shape } from "../../src/json/types.ts";
import { anyText, damaged, document, reference, RUNS, SEED, shape } from "./documents.ts";

console.info(`JSON_SEED=${SEED} (scan)`);

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

test("a document is valid exactly when a strict parser takes it", () => {
  let valid = 0;
  const property = fc.property(damaged, shape, (bytes, anyShape) => {
    const expected = reference(bytes) !== null;
    if (expected) valid++;
    expect(scan(bytes, compileShape(anyShape)) !== null).toBe(expected);
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
  // The property is only meaningful if both of its outcomes occur.
  expect(valid).toBeGreaterThan(RUNS / 50);
  expect(valid).toBeLessThan(RUNS);
});

test("captured values, and no others, are those that JSON.parse puts at the shape's paths", () => {
  let inside = 0;
  const property = fc.property(document, shape, (text, anyShape) => {
    const bytes = encode(text);
    const seen = viewOf(bytes, scan(bytes, compileShape(anyShape)));
    inside += seen.items.length + seen.fields.length;
    expect(seen).toEqual(expectedView(JSON.parse(text), anyShape));
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
  expect(inside).toBeGreaterThan(RUNS / 2);
});

test("an edit changes the values at the edited paths and not one byte elsewhere", () => {
  let edited = 0;
  const texts = fc.infiniteStream(fc.option(anyText, { nil: null }));
  const property = fc.property(document, shape, texts, (text, anyShape, replacements) => {
    const bytes = encode(text);
    const node = scan(bytes, compileShape(anyShape));
    if (node === null) throw new Error("A generated document was refused.");
    const edits: Edit[] = [];
    const next = () => replacements.next().value ?? null;
    const expected = withEdits(JSON.parse(text), node, next, edits);
    edits.sort((a, b) => a.start - b.start);
    edited += edits.length;
    const result = splice(bytes, edits);
    expect(isDeepStrictEqual(JSON.parse(decode(result)), expected)).toBe(true);
    expectSameOutside(bytes, result, edits);
    expect(result === bytes).toBe(edits.length === 0);
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
  expect(edited).toBeGreaterThan(RUNS);
});

/**
 * The result of a scan: for each captured value its kind, the value, its decoded text, and the
 * values captured inside it.
 */
interface View {
  readonly kind: JsonNode["kind"];
  /** Written out again, so that own members named __proto__ count in a comparison. */
  readonly value: string;
  readonly text: unknown;
  readonly items: readonly View[];
  readonly fields: readonly (readonly [string, View])[];
}

function viewOf(bytes: Uint8Array, node: JsonNode | null): View {
  if (node === null) throw new Error("A generated document was refused.");
  const raw = decode(bytes.subarray(node.start, node.end));
  if (raw !== raw.trim()) throw new Error(`A span holds the space around its value: ${raw}`);
  const fields = node.kind === "object" ? [...node.fields] : [];
  return {
    kind: node.kind,
    value: JSON.stringify(JSON.parse(raw)),
    text: node.kind === "string" ? textOf(bytes, node) : null,
    items: node.kind === "array" ? node.items.map((item) => viewOf(bytes, item)) : [],
    fields: byName(fields.map(([key, field]) => [key, viewOf(bytes, field)])),
  };
}

function expectedView(value: unknown, by: Shape): View {
  const { items: item } = by;
  const named = new Map(Object.entries(by.fields ?? {}));
  const members = kindOf(value) === "object" ? Object.entries(value ?? {}) : [];
  return {
    kind: kindOf(value),
    value: JSON.stringify(value),
    text: typeof value === "string" ? value : null,
    items:
      item !== undefined && Array.isArray(value) ? value.map((v) => expectedView(v, item)) : [],
    fields: byName(
      members.flatMap(([key, member]): [string, View][] => {
        const child = named.get(key) ?? by.each;
        return child === undefined ? [] : [[key, expectedView(member, child)]];
      }),
    ),
  };
}

function byName(fields: [string, View][]): [string, View][] {
  return fields.sort(([a], [b]) => (a < b ? -1 : 1));
}

function kindOf(value: unknown): JsonNode["kind"] {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "number") return "number";
  return typeof value === "string" ? "string" : "object";
}

/** Replaces some of the innermost captured values, in the parsed value and as edits. */
function withEdits(
  value: unknown,
  node: JsonNode,
  next: () => string | null,
  edits: Edit[],
): unknown {
  if (node.kind === "array" && node.items.length > 0 && Array.isArray(value)) {
    return node.items.map((item, k) => withEdits(value[k], item, next, edits));
  }
  if (node.kind === "object" && node.fields.size > 0) {
    const copy: [string, unknown][] = Object.entries(value ?? {}).map(([key, item]) => {
      const field = node.fields.get(key);
      return [key, field === undefined ? item : withEdits(item, field, next, edits)];
    });
    return Object.fromEntries(copy);
  }
  const text = next();
  if (text === null) return value;
  edits.push({ start: node.start, end: node.end, bytes: quote(text) });
  return text;
}

/** Does not use the tested function: both arrays are compared element by element. */
function expectSameOutside(before: Uint8Array, after: Uint8Array, edits: readonly Edit[]): void {
  let from = 0;
  let to = 0;
  for (const edit of [...edits, { start: before.length, end: before.length, bytes: encode("") }]) {
    const kept = edit.start - from;
    expect(Buffer.compare(before.subarray(from, edit.start), after.subarray(to, to + kept))).toBe(
      0,
    );
    to += kept;
    expect(Buffer.compare(edit.bytes, after.subarray(to, to + edit.bytes.length))).toBe(0);
    to += edit.bytes.length;
    from = edit.end;
  }
  expect(to).toBe(after.length);
}
