import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { describe, expect, it } from "vitest";
import { buildMatcher, createMatcher } from "../../src/matching/matcher.ts";
import type { Searchable, SearchResult } from "../../src/matching/types.ts";

const shop: readonly Searchable[] = [
  { id: 1, phrases: ["Delivery times", "How long does shipping take?", "When will it arrive?"] },
  { id: 2, phrases: ["Track my order", "Where is my order?", "Order status"] },
  { id: 3, phrases: ["Cancel an order", "I want to cancel", "Stop my order"] },
  { id: 4, phrases: ["Change my order", "Add an item to an order"] },
  { id: 5, phrases: ["Return an order", "Send back an item", "Returns"] },
  { id: 6, phrases: ["Pay for an order", "Payment methods", "Which cards do you take?"] },
  { id: 7, phrases: ["Opening hours", "When is the shop open?"] },
  { id: 8, phrases: ["Contact us", "Who are you?", "Phone number"] },
];
const matcher = createMatcher(shop, { language: "en", words: loadMatchingWords("en") });

const answerOf = ({ hits, threshold }: SearchResult): number | null => {
  const best = hits[0];
  return best !== undefined && best.score >= threshold ? best.id : null;
};

describe("what a question finds", () => {
  it.each(["Delivery times", "DELIVERY TIMES??", "  delivery   tîmes "])(
    "takes %j for the title, whatever its case, accents and punctuation",
    (question) => {
      const found = matcher.search(question);
      expect(found.hits[0]).toEqual({ id: 1, score: 1, exact: true });
      expect(found.rivals).toEqual([]);
    },
  );

  it("finds a title of stop words by all of its words", () => {
    expect(matcher.search("who are you").hits[0]).toMatchObject({ id: 8, exact: true });
  });

  it("finds a misspelt title, and does not call that exact", () => {
    const found = matcher.search("delivry tiems");
    expect(found.hits[0]).toMatchObject({ id: 1, exact: false });
    expect(found.hits[0]?.score).toBeGreaterThan(0.9);
    expect(found.unknownWords).toBe(0);
  });

  it("finds the title inside a longer question", () => {
    const question = "Hello, I would like to know what your delivery times are please";
    expect(answerOf(matcher.search(question))).toBe(1);
  });

  it("gives the scores best first, each from 0 to 1, and no more than asked for", () => {
    const { hits } = matcher.search("cancel or return my order", 3);
    expect(hits).toHaveLength(3);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    for (const score of scores) expect(score).toBeGreaterThanOrEqual(0);
    for (const score of scores) expect(score).toBeLessThanOrEqual(1);
  });
});

describe("a question without an answer", () => {
  it.each(["what are the", "how do I", "please", "swimming pool", "qwertz yxcv", "42", "?!", ""])(
    "finds nothing for %j",
    (question) => {
      expect(answerOf(matcher.search(question))).toBeNull();
      expect(matcher.search(question).rivals).toEqual([]);
    },
  );

  it("says how much of a question is unknown", () => {
    expect(matcher.search("swimming pool").unknownWords).toBe(1);
    expect(matcher.search("delivery zeppelin").unknownWords).toBe(0.5);
    expect(matcher.search("delivery times").unknownWords).toBe(0);
    expect(matcher.search("").unknownWords).toBe(0);
  });

  it("finds nothing without contents, and nothing in contents without words", () => {
    expect(
      createMatcher([], { language: "en", words: loadMatchingWords("en") }).search("order").hits,
    ).toEqual([]);
    const empty = createMatcher(
      [
        { id: 1, phrases: ["", "?!"] },
        { id: 2, phrases: [] },
      ],
      {
        language: "en",
      },
    );
    expect(empty.search("?!").hits).toEqual([]);
    expect(empty.search("order").hits).toEqual([]);
  });

  it("does not accept everything because there is only one content", () => {
    const single = createMatcher([{ id: 1, phrases: ["Delivery times"] }], {
      language: "en",
      words: loadMatchingWords("en"),
    });
    expect(answerOf(single.search("when are your delivery times"))).toBe(1);
    expect(answerOf(single.search("swimming pool"))).toBeNull();
  });
});

describe("rivals", () => {
  it("are all contents that have the one word which the question consists of", () => {
    const { hits, rivals, threshold } = matcher.search("order");
    expect(rivals.map(({ id }) => id).toSorted()).toEqual([2, 3, 4, 5, 6]);
    expect(hits[0]?.score).toBeGreaterThanOrEqual(threshold);
  });

  it("are the contents that share a title", () => {
    const twins = createMatcher(
      [
        { id: 1, phrases: ["Prices"] },
        { id: 2, phrases: ["Prices", "Tariffs", "What do you charge for parcels?"] },
        { id: 3, phrases: ["Contact"] },
      ],
      { language: "en", words: loadMatchingWords("en") },
    );
    expect(twins.search("prices").rivals.map(({ id }) => id)).toEqual([1, 2]);
  });

  it("are none when one content stands out", () => {
    expect(matcher.search("cancel my order").rivals).toEqual([]);
  });
});

describe("a choice among contents that were offered", () => {
  it("takes a title typed roughly", () => {
    expect(answerOf(matcher.among("the cancel one", [2, 3, 4]))).toBe(3);
    expect(answerOf(matcher.among("chnage", [2, 3, 4]))).toBe(4);
    expect(answerOf(matcher.among("status", [2, 3, 4]))).toBe(2);
  });

  it("finds no content that was not offered", () => {
    expect(matcher.among("delivery times", [2, 3, 4]).hits.map(({ id }) => id)).not.toContain(1);
  });

  it("is none when the reader talks about something else", () => {
    expect(answerOf(matcher.among("swimming pool", [2, 3, 4]))).toBeNull();
    expect(answerOf(matcher.among("delivery times", [2, 3, 4]))).toBeNull();
    expect(answerOf(matcher.among("order", []))).toBeNull();
  });
});

describe("synonyms", () => {
  const synonyms = [
    ["cash on delivery", "COD"],
    ["notebook", "laptop", "portable computer"],
  ];
  const withSynonyms = createMatcher(
    [
      { id: 1, phrases: ["Cash on delivery"] },
      { id: 2, phrases: ["Repair a laptop"] },
      { id: 3, phrases: ["Delivery times"] },
    ],
    { language: "en", synonyms, words: loadMatchingWords("en") },
  );

  it("find a word by another, and a phrase by its short form", () => {
    expect(answerOf(withSynonyms.search("do you offer cod"))).toBe(1);
    expect(answerOf(withSynonyms.search("repair my notebook"))).toBe(2);
    expect(answerOf(withSynonyms.search("portable computers repair"))).toBe(2);
  });

  it("are needed to find them", () => {
    const without = createMatcher([{ id: 2, phrases: ["Repair a laptop"] }], {
      language: "en",
      words: loadMatchingWords("en"),
    });
    expect(answerOf(without.search("my notebook"))).toBeNull();
    expect(answerOf(withSynonyms.search("my notebook"))).toBe(2);
  });
});

describe("what a question finds within some contents", () => {
  it("is held to the same threshold as in all of them, and leaves the others out", () => {
    const ids = [1, 2, 3, 4, 6, 7, 8];
    for (const question of ["Delivery times", "where is my order", "is it open?", "elephants"]) {
      const all = matcher.search(question);
      const some = matcher.within(question, ids);
      expect(some.threshold).toBe(all.threshold);
      expect(some.hits).toEqual(all.hits.filter(({ id }) => id !== 5));
    }
    expect(answerOf(matcher.search("send back an item"))).toBe(5);
    expect(answerOf(matcher.within("send back an item", ids))).not.toBe(5);
  });
});

describe("a build in slices", () => {
  it("finds the same as one that is made at once, and lets others run", async () => {
    const contents = Array.from({ length: 400 }, (_, id) => ({
      id,
      phrases: [`topic ${id} number`, `how is ${id * 7919} done`, `all about thing ${id}`],
    }));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const built = await buildMatcher(contents, { language: "en", words: loadMatchingWords("en") });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
    const atOnce = createMatcher(contents, { language: "en", words: loadMatchingWords("en") });
    for (const question of ["topic 17", "about thing 3", "something else"]) {
      expect(built.search(question)).toEqual(atOnce.search(question));
    }
  });
});

describe("a matcher that trains only what is asked", () => {
  it("finds the same, with the same scores", () => {
    const options = { language: "en", words: loadMatchingWords("en") };
    const all = createMatcher(shop, options);
    const asked = createMatcher(shop, { ...options, training: "asked" });
    const phrases = shop.flatMap((one) => one.phrases);
    const ids = shop.slice(1).map(({ id }) => id);
    for (const question of [...phrases, ...phrases.map((one) => `is it true: ${one}`), "moon"]) {
      expect(asked.search(question)).toEqual(all.search(question));
      expect(asked.within(question, ids)).toEqual(all.within(question, ids));
    }
  });
});
