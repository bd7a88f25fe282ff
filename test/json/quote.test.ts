import * as fc from "fast-check";
import { expect, test } from "vitest";
import { quote } from "../../src/json/quote.ts";
import { anyText, RUNS, SEED } from "./documents.ts";

console.info(`JSON_SEED=${SEED} (quote)`);

const decode = (bytes: Uint8Array) =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

test("any text comes back from its bytes, which are valid UTF-8", () => {
  const property = fc.property(anyText, (text) => {
    expect(JSON.parse(decode(quote(text)))).toBe(text);
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
});

test.each([
  ["", '""'],
  ["Hello", '"Hello"'],
  ['say "no"\\', '"say \\"no\\"\\\\"'],
  ["a\nb\u0000", '"a\\nb\\u0000"'],
  ["</script>", '"</script>"'],
  ["caf\u00e9 \u65e5\u672c \u{1f600}", '"caf\u00e9 \u65e5\u672c \u{1f600}"'],
  ["\ufeff", '"\ufeff"'],
  ["\u2028 \u2029", '"\\u2028 \\u2029"'],
  ["\ud800", '"\\ud800"'],
  ["\udc00\ud800", '"\\udc00\\ud800"'],
])("%j is written as %s", (text, json) => {
  expect(decode(quote(text))).toBe(json);
});
