import { expect, it } from "vitest";
import { withoutTrailing } from "../src/without-trailing.ts";

it.each([
  ["https://a.example//", "/", "https://a.example"],
  ["a/b", "/", "a/b"],
  ["///", "/", ""],
  ["", "/", ""],
  ["text\r\n\n", "\r\n", "text"],
])("withoutTrailing(%j, %j) is %j", (text, characters, expected) => {
  expect(withoutTrailing(text, characters)).toBe(expected);
});

it("goes past millions of slashes in the middle at once", () => {
  const text = `${"/".repeat(5_000_000)}a`;
  expect(withoutTrailing(`${text}/`, "/")).toBe(text);
});
