import { expect, test } from "vitest";
import { keepingMatchers } from "../../../src/backend/chatbot/matchers.ts";
import type { MatcherFor } from "../../../src/backend/chatbot/matchers.ts";
import { createMatcher } from "../../../src/backend/matching/matcher.ts";

test("a matcher is built anew only when what it searches has changed", () => {
  const built: string[] = [];
  const build: MatcherFor = (language, searchables, synonyms) => {
    built.push(language);
    return createMatcher(searchables, { language, synonyms });
  };
  const matcherFor = keepingMatchers(build);
  const hours = { id: 1, phrases: ["Opening hours"] };
  const first = matcherFor("en", [hours], []);
  expect(matcherFor("en", [{ ...hours }], [])).toBe(first);
  expect(matcherFor("fr", [hours], [])).not.toBe(first);
  const second = matcherFor("en", [{ id: 2, phrases: ["Opening hours"] }], []);
  expect(second.search("opening hours").hits[0]?.id).toBe(2);
  expect(matcherFor("en", [hours], [["a", "b"]])).not.toBe(first);
  expect(built).toStrictEqual(["en", "fr", "en", "en"]);
});
