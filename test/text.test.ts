import { expect, it } from "vitest";
import { dropTrailing } from "../src/text.ts";

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
