import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findBytes, hasNonEmptyArrayMember } from "../../src/json/find.ts";
import { RUNS, SEED } from "./documents.ts";

console.info(`JSON_SEED=${SEED} (find)`);

const FLAGS = encode('"flags"');

describe("findBytes", () => {
  test("finds what Buffer.indexOf finds", () => {
    let found = 0;
    const letters = fc.constantFrom("a", "b", "ab", "aab", "\u00e9", '"');
    const text = fc.array(letters, { maxLength: 30 }).map((pieces) => pieces.join(""));
    const needle = fc
      .array(letters, { minLength: 1, maxLength: 3 })
      .map((pieces) => pieces.join(""));
    const property = fc.property(text, needle, fc.nat(20), (haystack, sought, from) => {
      const expected = Buffer.from(haystack).indexOf(sought, from);
      if (expected >= 0) found++;
      expect(findBytes(encode(haystack), encode(sought), from)).toBe(expected);
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED });
    expect(found).toBeGreaterThan(RUNS / 20);
  });

  test("finds a needle at the very start and the very end, and of more than 255 bytes", () => {
    expect(findBytes(encode("flags"), encode("flags"))).toBe(0);
    expect(findBytes(encode("xflags"), encode("flags"))).toBe(1);
    const long = "ab".repeat(300);
    expect(findBytes(encode(`a${long}`), encode(long))).toBe(1);
    expect(findBytes(encode(`${"c".repeat(999)}${long}`), encode(long))).toBe(999);
  });

  test("a needle longer than the haystack, or cut by its end, is not found", () => {
    expect(findBytes(encode("flag"), encode("flags"))).toBe(-1);
    expect(findBytes(encode(""), encode("x"))).toBe(-1);
    expect(findBytes(encode("xxflag"), encode("flags"), 3)).toBe(-1);
  });

  test("an empty needle is found where the search begins", () => {
    expect(findBytes(encode("ab"), encode(""), 1)).toBe(1);
    expect(findBytes(encode("ab"), encode(""), 3)).toBe(-1);
  });
});

describe("hasNonEmptyArrayMember", () => {
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
    expect(hasNonEmptyArrayMember(encode(text), FLAGS)).toBe(true);
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
    expect(hasNonEmptyArrayMember(encode(text), FLAGS)).toBe(false);
  });
});

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
