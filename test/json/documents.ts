import * as fc from "fast-check";
import type { Shape } from "../../src/json/types.ts";
import { runs } from "../fixtures/runs.ts";

/** How often every property of this folder runs, unless JSON_RUNS is set. */
export const RUNS: number = Number(process.env["JSON_RUNS"] ?? runs(5000));

/** Printed by each property file; set JSON_SEED to repeat a run. */
export const SEED: number = Number(process.env["JSON_SEED"] ?? Date.now() & 0x7fffffff);

/** Few names, so that documents repeat them and shapes meet them. */
const NAMES = [
  "flags",
  "message",
  "relatedTitle",
  "a",
  "",
  "__proto__",
  "caf\u00e9",
  'q"\\/',
  "\ud800",
];

/** Any name that documents and shapes use. */
export const name: fc.Arbitrary<string> = fc.constantFrom(...NAMES);

/**
 * JSON text of any valid document: odd whitespace, repeated and escaped names, odd numbers, lone
 * surrogate escapes.
 */
export const document: fc.Arbitrary<string> = fc.letrec<{ value: string; padded: string }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.oneof(literal(), string()),
      fc.array(tie("padded"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
      fc
        .array(fc.tuple(gap(), nameText(), gap(), tie("padded")), { maxLength: 5 })
        .map((members) => `{${members.map(([s, n, t, v]) => `${s}${n}${t}:${v}`).join(",")}}`),
      // Empty values with whitespace, and nesting deeper than one word of the walker's stack.
      fc.constantFrom("[ ]", "{\n}", "[\t]"),
      fc.tuple(fc.integer({ min: 25, max: 65 }), tie("padded")).map(([n, v]) => deep(n, v)),
    ),
    padded: fc.tuple(gap(), tie("value"), gap()).map((parts) => parts.join("")),
  }),
).padded;

/** Any shape over the same names, up to three levels below the root. */
export const shape: fc.Arbitrary<Shape> = shapeOf(3);

function shapeOf(levels: number): fc.Arbitrary<Shape> {
  if (levels === 0) return fc.constant({});
  const child = shapeOf(levels - 1);
  // Made from entries, because a literal would lose the key __proto__.
  const fields = fc
    .array(fc.tuple(name, child), { maxLength: 4 })
    .map((entries): NonNullable<Shape["fields"]> => Object.fromEntries(entries));
  return fc.record({ fields, each: child, items: child }, { requiredKeys: [] });
}

/** Documents cut, damaged or lengthened by a few bytes: some stay valid. */
export const damaged: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    document,
    fc.array(fc.tuple(fc.nat(), fc.nat(3), oddByte()), { minLength: 1, maxLength: 2 }),
  )
  .map(([text, changes]) => {
    let bytes = new TextEncoder().encode(text);
    for (const [where, how, byte] of changes) {
      const at = where % (bytes.length + 1);
      const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
      const middle = how === 0 ? [] : [byte];
      const rest = how === 0 ? [] : after.subarray(how === 1 ? 0 : how - 1);
      bytes = Uint8Array.from([...before, ...middle, ...rest]);
    }
    return bytes;
  });

/** Any sequence of UTF-16 code units, lone surrogates included. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd700, max: 0xe0ff }), fc.nat(0x7f)))
  .map((units) => String.fromCharCode(...units));

/** What a strict parser of bytes makes of them. */
export function reference(bytes: Uint8Array): { readonly value: unknown } | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function gap(): fc.Arbitrary<string> {
  return fc.constantFrom("", "", "", "", " ", "\n", "\t", "\r\n  ");
}

function literal(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom("null", "true", "false", "0", "-0", "-0.0", "1e999", "1E+05", "0.10e-07"),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  );
}

function string(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom("a", "flags", "No Results", " ", "[", "]", "{", "}", ",", ":", "\u007f"),
    fc.constantFrom(
      "\u00e9",
      "\u00df",
      "\u20ac",
      "\u65e5\u672c",
      "\ufeff",
      "\ufffd",
      "\u{1f600}",
      "\u{10ffff}",
      "\u212a",
    ),
    fc.constantFrom('\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u2028", "\\u0000"),
    fc.nat(0xffff).map((unit) => escaped(unit)),
    fc
      .integer({ min: 0xd800, max: 0xdfff })
      .map((unit) => escaped(unit).toUpperCase().replace("U", "u")),
  );
  return fc.array(piece, { maxLength: 6 }).map((pieces) => `"${pieces.join("")}"`);
}

/** A name with some of its characters escaped although they need not be. */
function nameText(): fc.Arbitrary<string> {
  return fc.tuple(name, fc.oneof(fc.constant(0), fc.nat(0xff))).map(([text, mask]) => {
    const units = Array.from({ length: text.length }, (_, k) => text.charCodeAt(k));
    const spelled = units.map((unit, k) => {
      const mustEscape = unit < 0x20 || unit === 0x22 || unit === 0x5c || unit >= 0xd800;
      if (unit === 0x2f && (mask & 1) === 1) return "\\/";
      return mustEscape || ((mask >> (k % 8)) & 1) === 1
        ? escaped(unit)
        : String.fromCharCode(unit);
    });
    return `"${spelled.join("")}"`;
  });
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

function deep(levels: number, inner: string): string {
  let text = inner;
  for (let level = 0; level < levels; level++) {
    text = level % 3 === 0 ? `{"a":${text}}` : `[${text}]`;
  }
  return text;
}

function oddByte(): fc.Arbitrary<number> {
  const grammar = Array.from('"\\{}[],:0123456789-+.eEtrufalsn \n\t', (c) => c.charCodeAt(0));
  return fc.oneof(fc.constantFrom(...grammar), fc.nat(0xff));
}
