import { expect, test } from "vitest";
import { scan } from "../../src/json/scan.ts";
import { compileShape } from "../../src/json/shape.ts";
import { isEmptyString, rawOf, textOf } from "../../src/json/text.ts";

const ROOT = compileShape({});

test.each([
  '""',
  '"no-results"',
  '"a\\u0062\\n\\"\\\\\\/"',
  '"caf\u00e9"',
  '"\ufeff"',
  '"\\ufeff\u{1f600}"',
  '"\\ud800"',
  '"\\ude00\\ud83d"',
  '"\\ud83d\\ude00"',
  '"exactly thirty-two characters !!"',
  '"exactly thirty-three characters !"',
  '"a long text without anything special in it, past the short way"',
  '"a long text with \\u0041 escape and caf\u00e9 in it, past the short way"',
  '"thirty-one and a backslash at.\\\\"',
])("the text of %s is what JSON.parse says", (json) => {
  const bytes = encode(` ${json} `);
  const node = scan(bytes, ROOT);
  expect(node?.kind === "string" && textOf(bytes, node)).toBe(JSON.parse(json));
});

test("bytes that are not the scanned ones are refused rather than misread", () => {
  const other = encode('{"a":1234567890123456789012345678901234567890}');
  expect(() => textOf(other, { kind: "string", start: 5, end: 45 })).toThrow(TypeError);
  expect(() => textOf(other, { kind: "string", start: 0, end: 45 })).toThrow(SyntaxError);
});

test.each(['""', '" "', '"\\u0000"', "10", "{}", "[]", "null"])(
  "%s is an empty string only when nothing stands between its quotes",
  (json) => {
    const node = scan(encode(json), ROOT);
    expect(node !== null && isEmptyString(node)).toBe(json === '""');
  },
);

test.each(["-1.50e3", "true", "null", '"caf\\u00e9 \u00e9"', "[ 1,\n2 ]", '{"a": 1}'])(
  "the raw text of %j is as written",
  (json) => {
    const bytes = encode(`\n${json}\t`);
    const node = scan(bytes, ROOT);
    expect(node !== null && rawOf(bytes, node)).toBe(json);
  },
);

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
