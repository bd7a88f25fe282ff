import { expect, test } from "vitest";
import { splice } from "../../src/json/splice.ts";

const TEXT = encode("0123456789");

test("without an edit the very same array comes back", () => {
  expect(splice(TEXT, [])).toBe(TEXT);
});

test("edits at both ends, beside each other, growing, shrinking and empty", () => {
  const edits = [
    { start: 0, end: 0, bytes: encode("<") },
    { start: 0, end: 2, bytes: encode("ab") },
    { start: 2, end: 3, bytes: encode("") },
    { start: 5, end: 5, bytes: encode("--") },
    { start: 9, end: 10, bytes: encode("long") },
    { start: 10, end: 10, bytes: encode(">") },
  ];
  expect(decode(splice(TEXT, edits))).toBe("<ab34--5678long>");
  expect(decode(TEXT)).toBe("0123456789");
});

test("two insertions at one offset keep their order", () => {
  const edits = ["a", "b"].map((text) => ({ start: 4, end: 4, bytes: encode(text) }));
  expect(decode(splice(TEXT, edits))).toBe("0123ab456789");
});

test("the whole document may be replaced, and an empty one filled", () => {
  expect(decode(splice(TEXT, [{ start: 0, end: 10, bytes: encode("x") }]))).toBe("x");
  expect(decode(splice(encode(""), [{ start: 0, end: 0, bytes: encode("x") }]))).toBe("x");
});

test("the result is a Uint8Array of its own, also for a view into a larger buffer", () => {
  const result = splice(Buffer.from("xx0123").subarray(2), [
    { start: 1, end: 2, bytes: encode("_") },
  ]);
  expect(Object.getPrototypeOf(result)).toBe(Uint8Array.prototype);
  expect(decode(result)).toBe("0_23");
});

test.each([
  ["overlapping", [edit(0, 3), edit(2, 4)]],
  ["not in order", [edit(5, 6), edit(1, 2)]],
  ["one inside another", [edit(0, 9), edit(3, 4)]],
  ["twice the same", [edit(1, 2), edit(1, 2)]],
  ["an insertion inside the edit before it", [edit(1, 5), edit(3, 3)]],
  ["backwards", [edit(4, 3)]],
  ["past the end", [edit(9, 11)]],
  ["before the start", [edit(-1, 1)]],
  ["not a number", [edit(Number.NaN, 1)]],
  ["a fraction", [edit(0.5, 1)]],
])("edits that are %s throw a RangeError", (_, edits) => {
  expect(() => splice(TEXT, edits)).toThrow(RangeError);
  expect(() => splice(TEXT, edits)).toThrow(/^Edit .* Sort the edits by start\.$/);
});

function edit(start: number, end: number) {
  return { start, end, bytes: encode("x") };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
