// Suite: long
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { describe, expect, it } from "vitest";
import { inventContents } from "../../bench/intents/scale.ts";
import { createMatcher } from "../../src/matching/matcher.ts";

const sentences = [
  "how do i change the address of an order that is on its way",
  "where can i see what the monthly plan costs per person",
  "please tell me when the next delivery to my town arrives",
  "is it possible to pay by card in the shop around the corner",
  "who do i call about a broken screen and a lost charger",
  "can i take my dog with me on the night train",
];

describe("a base too large to train classifiers", () => {
  const contents = inventContents(sentences, 3_000, 6);
  const before = process.threadCpuUsage();
  const matcher = createMatcher(contents, { language: "en", words: loadMatchingWords("en") });
  const { user } = process.threadCpuUsage(before);

  it("is indexed in seconds of the processor's time", () => {
    expect(user / 1_000_000).toBeLessThan(30);
  });

  it("finds every phrase by its words, with 1 as its score", () => {
    for (const { id, phrases } of contents.slice(0, 20)) {
      for (const phrase of phrases) {
        const { hits } = matcher.search(phrase.toUpperCase(), 3_000);
        expect(hits.find((hit) => hit.id === id)).toEqual({ id, score: 1, exact: true });
      }
    }
  });

  it("finds nothing for what it knows nothing about", () => {
    const { hits, threshold, unknownWords } = matcher.search("zwölf Boxkämpfer quer über Sylt");
    expect(hits[0]?.score ?? 0).toBeLessThan(threshold);
    expect(unknownWords).toBe(1);
  });
});

describe("scores in bases of any size", () => {
  it("mean that a near question is answered and a far one is not", () => {
    for (const size of [2, 20, 200, 2_000]) {
      const others = inventContents(sentences, size, 6);
      const matcher = createMatcher(
        [...others, { id: -1, phrases: ["Reset a forgotten password", "I forgot my password"] }],
        { language: "en", words: loadMatchingWords("en") },
      );
      const near = matcher.search("how can I reset my forgotten password");
      expect(near.hits[0]?.id).toBe(-1);
      expect(near.hits[0]?.score).toBeGreaterThanOrEqual(near.threshold);
      const far = matcher.search("recipe for strawberry pancakes");
      expect(far.hits[0]?.score ?? 0).toBeLessThan(far.threshold);
    }
  });
});
