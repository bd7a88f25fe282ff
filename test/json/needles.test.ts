import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileNeedles, mayHold } from "../../src/json/needles.ts";
import { document, RUNS, SEED } from "./documents.ts";

console.info(`JSON_SEED=${SEED} (needles)`);

const SPEC = {
  nonEmptyArrays: ["flags"],
  names: ["relatedTitle"],
  texts: ["no results", "kelvin sign"],
};
const NOTHING = compileNeedles({});
const FLAGS = compileNeedles({ nonEmptyArrays: ["flags"] });
const NEEDLES = compileNeedles(SPEC);

test("a document that is ruled out holds none of the strings looked for", () => {
  let ruledOut = 0;
  const property = fc.property(document, (text) => {
    if (mayHold(encode(text), NEEDLES)) return;
    ruledOut++;
    expect(holds(JSON.parse(text))).toBe(false);
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
  expect(ruledOut).toBeGreaterThan(RUNS / 10);
});

test("a string is found at any offset, in any surroundings", () => {
  const surroundings = fc.string({ maxLength: 40 }).map((text) => JSON.stringify(text));
  const member = fc.constantFrom(
    '"flags":["x"]',
    '"flags" : [ null',
    '"relatedTitle":',
    '"NO reSULTS"',
    '"\\u0066lags"',
    '"No Result\\u0053"',
  );
  const property = fc.property(surroundings, member, surroundings, (before, needle, after) => {
    expect(mayHold(encode(`[${before},${needle},${after}]`), NEEDLES)).toBe(true);
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
});

describe("with the strings of a usual instance", () => {
  test.each([
    "",
    "{}",
    '{"answers":[{"flags":[],"message":"Results of our flags","related":{"title":"x"}}]}',
    '{"flags": [ ] , "flags" : null}',
    '{"a":"flags","related":1,"b":["the flags"],"RelatedTitle":2}',
    '{"message":"caf\\u00e9 \\u003Cb\\u003E \\/ \\n \\"flags\\" \\u0020 \\u0030"}',
    '{"date":"2024-05-06T07:00:40","n":[0.0047,100400,1e-0007,"00470061"]}',
  ])("%s is ruled out", (text) => {
    const needles = compileNeedles({ nonEmptyArrays: ["flags"], names: ["relatedTitle"] });
    expect(mayHold(encode(text), needles)).toBe(false);
  });
});

describe("texts", () => {
  test.each([
    ["no results", '"NO RESULTS!"'],
    ["no results", '"No\\u0020results"'],
    ["aucun r\u00e9sultat", '"Aucun r\\u00e9sultat"'],
    ["aucun r\u00e9sultat", '"AUCUN R\u00c9SULTAT"'],
    // One character outside ASCII has an ASCII lower case, and another contains one.
    ["kelvin", '"\u212aelvin"'],
    ["kk", '"\u212a\u212a"'],
    ["\u0069\u0307zmir", '"\u0130zmir"'],
    ["abci\u0307", '"ABC\u0130"'],
    ["\u65e5\u672c", '"\\u65e5\\u672c"'],
    ["a", '"A"'],
    ["ab", '"xAbx"'],
    ["snake_case", '"SNAKE_CASE"'],
    ["", '""'],
  ])("%j is seen in %s", (text, json) => {
    expect(mayHold(encode(`[${json}]`), compileNeedles({ texts: [text] }))).toBe(true);
  });

  test("short texts still rule documents out", () => {
    const needles = compileNeedles({ texts: ["abc", "zz"] });
    expect(mayHold(encode('{"ab":"cab","z":"Z z"}'), needles)).toBe(false);
    expect(mayHold(encode('{"ab":"cabc"}'), needles)).toBe(true);
  });
});

describe("names that are more than letters", () => {
  test.each([
    ["e-mail", '{"e\\u002dmail":1}'],
    ["caf\u00e9", '{"caf\\u00e9":1}'],
    ["a1", '{"a\\u0031":1}'],
    ["", '{"":1}'],
    ["__proto__", '{"__proto__":1}'],
  ])("%j is seen in %s", (name, json) => {
    expect(mayHold(encode(json), compileNeedles({ names: [name] }))).toBe(true);
    const asArray = encode(json.replace(":1", ":[1]"));
    expect(mayHold(asArray, compileNeedles({ nonEmptyArrays: [name] }))).toBe(true);
  });
});

describe("a member that matters when it is no empty array", () => {
  test.each([
    '{"flags":["no-results"]}',
    '{"flags" :\n[ "x" ]}',
    '{"flags":[],"a":{"flags":[null]}}',
    '{"flags":"no-results"}',
    '{"flags":{}}',
    '{"flags":0}',
    '{"flags":',
    '{"flags":[',
  ])("%s may hold something", (text) => {
    expect(mayHold(encode(text), FLAGS)).toBe(true);
  });

  test.each([
    "",
    "{}",
    '{"flags":[]}',
    '{"flags" \t:\r\n[ \n]}',
    '{"flags":null}',
    '{"flags": null,"flags":[]}',
    '{"a":"flags","b":["flags"]}',
    '{"Flags":[1],"flag":[1],"xflags":[1]}',
    '{"a":"\\"flags\\":[1]"}',
    '{"flags"',
  ])("%s holds nothing", (text) => {
    expect(mayHold(encode(text), FLAGS)).toBe(false);
  });
});

describe("an escaped letter", () => {
  test.each([
    '"\\u0061"',
    '"\\u0041"',
    '"\\u005f"',
    '"\\u0040"',
    '"\\u007A"',
    '"\\u007f"',
    '"\\\\\\u0066"',
    '"\\u00e9\\u0066"',
    // Only a backslash is escaped: it is treated as an escape, which only costs a scan.
    '"\\\\u0066"',
    `"${"x".repeat(97)}\\u0066"`,
  ])("%s has one", (text) => {
    expect(mayHold(encode(text), NOTHING)).toBe(true);
  });

  test.each([
    "",
    "\\",
    '"abc"',
    '"\\n\\t\\/\\"\\\\"',
    '"\\u00e9\\u0020\\u003C\\u0000\\u2028\\ud83d\\ude00"',
    '"u0061 0066 u00 00"',
    '"\\u0161\\u1061\\u00a6"',
  ])("%s has none", (text) => {
    expect(mayHold(encode(text), NOTHING)).toBe(false);
  });

  test.each(["\\n", "\\/", '\\"', "\\u00e9", "0", "04", "47", "u00"])(
    "a body full of %s has none",
    (unit) => {
      expect(mayHold(encode(unit.repeat(10_000)), NOTHING)).toBe(false);
    },
  );
});

/** The meaning of this file's needles, on the parsed document. */
function holds(value: unknown): boolean {
  if (typeof value === "string")
    return SPEC.texts.some((text) => value.toLowerCase().includes(text));
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holds);
  return Object.entries(value).some(
    ([key, item]) =>
      SPEC.names.includes(key) ||
      (SPEC.nonEmptyArrays.includes(key) && Array.isArray(item) && item.length > 0) ||
      holds(item),
  );
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
