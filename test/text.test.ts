import { expect, it } from "vitest";
import { countEdits, dropTrailing } from "../src/text.ts";

it.each([
  ["https://a.example//", "/", "https://a.example"],
  ["a/b", "/", "a/b"],
  ["///", "/", ""],
  ["", "/", ""],
  ["text\r\n\n", "\r\n", "text"],
])("dropTrailing(%j, %j) is %j", (text, characters, expected) => {
  expect(dropTrailing(text, characters)).toBe(expected);
});

it("goes past millions of slashes in the middle at once", () => {
  const text = `${"/".repeat(5_000_000)}a`;
  expect(dropTrailing(`${text}/`, "/")).toBe(text);
});

it("counts a word as far from another as letters are changed, or swapped with the neighbour", () => {
  expect(countEdits("order", "order", 2)).toBe(0);
  expect(countEdits("order", "odrer", 2)).toBe(1);
  expect(countEdits("order", "orders", 2)).toBe(1);
  expect(countEdits("order", "older", 2)).toBe(1);
  expect(countEdits("order", "odr", 2)).toBe(2);
  expect(countEdits("order", "cancel", 2)).toBeGreaterThan(2);
});

it("counts words of more than 126 letters as different unless they are the same", () => {
  const long = "a".repeat(127);
  expect(countEdits(long, long, 2)).toBe(0);
  expect(countEdits(long, `${long}b`, 2)).toBeGreaterThan(2);
  expect(countEdits("a".repeat(126), `${"a".repeat(125)}b`, 2)).toBe(1);
});
