import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { createMatcher } from "../../../src/backend/chatbot/matcher.ts";
import { knownLanguage } from "../../../src/backend/chatbot/language.ts";
import { wordsOf } from "../../../src/backend/chatbot/words.ts";
import { loadContent } from "../../../src/backend/content/load.ts";
import { contentDirectory } from "../client.ts";

// Any UTF-16 at all, lone surrogates included.
const anyText = fc.uint16Array({ maxLength: 256 }).map((units) => String.fromCharCode(...units));

const { items } = await loadContent(contentDirectory);

describe.each([...items])("the matcher for %s", (language, contents) => {
  const matcher = createMatcher(contents, language);

  test("finds every content by its title and each other title, in any case", () => {
    for (const item of contents) {
      for (const title of [item.title, ...item.alternatives]) {
        for (const question of [title, title.toUpperCase(), `  ${title}!!`]) {
          expect([question, matcher.match(question).item?.id]).toStrictEqual([question, item.id]);
          expect(matcher.match(question).score).toBeCloseTo(1);
        }
      }
    }
  });

  test("stays between 0 and 1 and never throws", () => {
    fc.assert(
      fc.property(anyText, (question) => {
        const { score, unknownWords, weight } = matcher.match(question);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-9);
        expect(unknownWords).toBeGreaterThanOrEqual(0);
        expect(unknownWords).toBeLessThanOrEqual(1);
        expect(weight).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("what a reader writes", () => {
  test.each([
    ["en", "hello, where is my parcel please", 1],
    ["en", "can i send it back?", 4],
    ["en", "i want my money back", 5],
    ["en", "cancel my orders", 6],
    ["en", "Do you take credit cards?", 8],
    ["fr", "où est mon colis", 1],
    ["fr", "OU EST MA COMMANDE", 1],
    ["fr", "quels sont vos horaires d'ouverture", 13],
    ["fr", "je veux annuler", 6],
  ])("%s: %s", (language, question, id) => {
    const matcher = createMatcher(items.get(language) ?? [], language);
    expect(matcher.match(question).item?.id).toBe(id);
  });

  test.each([
    ["en", "how do i fly to the moon"],
    ["en", "who are you"],
    ["en", "the weather in my delivery town next sunday afternoon"],
    ["en", "?!"],
    ["fr", "quel temps fait-il demain à Lyon"],
  ])("%s: %s has no answer here", (language, question) => {
    const matcher = createMatcher(items.get(language) ?? [], language);
    expect(matcher.match(question).item).toBeNull();
  });

  test("nothing is found among no contents", () => {
    expect(createMatcher([], "en").match("hello")).toMatchObject({
      item: null,
      score: 0,
      unknownWords: 1,
    });
  });
});

test("words lose case, Latin diacritics, elisions and plurals, and keep other scripts whole", () => {
  expect(wordsOf("Où sont mes COLIS d’été ?", "fr")).toStrictEqual(["coli", "ete"]);
  expect(wordsOf("Orders and addresses, please", "en")).toStrictEqual(["order", "addresse"]);
  expect(wordsOf("the who", "en")).toStrictEqual(["the", "who"]);
  expect(wordsOf("สวัสดี", "th").join("")).toBe("สวัสดี");
  expect(wordsOf("が", "ja")).toStrictEqual(["が"]);
});

test("language codes are known in any case and with any region, and no string breaks that", () => {
  const known = new Set(["en", "fr", "no", "he", "zh", "pt-br", "pt"]);
  for (const [code, found] of [
    ["fr", "fr"],
    ["FR-fr", "fr"],
    ["fr_CA", "fr"],
    ["nb", "no"],
    ["nn-NO", "no"],
    ["iw", "he"],
    ["zh-Hant-TW", "zh"],
    ["pt-BR", "pt-br"],
    ["pt-PT", "pt"],
    ["xx", null],
    ["french", null],
    ["", null],
    [null, null],
  ] as const) {
    expect([code, knownLanguage(code, known)]).toStrictEqual([code, found]);
  }
  fc.assert(
    fc.property(anyText, (code) => {
      const found = knownLanguage(code, known);
      expect(found === null || known.has(found)).toBe(true);
    }),
  );
});
