import { loadMatchingWords } from "../../../src/config/load/matching-words.ts";
import { expect, test } from "vitest";
import { createMatchers } from "../../../src/backend/chatbot/knowledge-base.ts";
import type { Matcher, Searchable } from "../../../src/matching/types.ts";
import { createMatcher } from "../../../src/matching/matcher.ts";

test("a matcher is built anew only when what it searches has changed", () => {
  const built: string[] = [];
  const matchers = createMatchers(loadMatchingWords, (searchables, options) => {
    built.push(options.language);
    return createMatcher(searchables, options);
  });
  const matcherFor = (
    language: string,
    searchables: readonly Searchable[],
    synonyms: readonly (readonly string[])[],
  ): Matcher => matchers.for({ language, searchables, synonyms });
  const hours = { id: 1, phrases: ["Opening hours"] };
  const first = matcherFor("en", [hours], []);
  expect(matcherFor("en", [{ ...hours }], [])).toBe(first);
  expect(matcherFor("fr", [hours], [])).not.toBe(first);
  const second = matcherFor("en", [{ id: 2, phrases: ["Opening hours"] }], []);
  expect(second.search("opening hours").hits[0]?.id).toBe(2);
  expect(matcherFor("en", [hours], [["a", "b"]])).not.toBe(first);
  expect(built).toStrictEqual(["en", "fr", "en", "en"]);
});

test("a prepared matcher is reused", async () => {
  const matchers = createMatchers(loadMatchingWords, () => {
    throw new Error("built at once");
  });
  const searched = {
    language: "en",
    searchables: [{ id: 1, phrases: ["Opening hours"] }],
    synonyms: [],
  };
  expect(() => matchers.for(searched)).toThrow("built at once");
  await matchers.prepare(searched);
  expect(matchers.for(searched).search("opening hours").hits[0]?.id).toBe(1);
});

test("a second backend of the process shares the matcher of the first for the same titles", () => {
  const searched = {
    language: "en",
    searchables: [{ id: 1, phrases: ["Opening hours of both"] }],
    synonyms: [],
  };
  const first = createMatchers(loadMatchingWords).for(searched);
  const another = createMatchers(loadMatchingWords);
  expect(another.for({ ...searched })).toBe(first);
  expect(another.for({ ...searched, synonyms: [["hours", "times"]] })).not.toBe(first);
});
