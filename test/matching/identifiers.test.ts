import { describe, expect, it, test } from "vitest";
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { createMatcher } from "../../src/matching/matcher.ts";
import type { Matcher, Searchable } from "../../src/matching/types.ts";

const matcherOf = (language: string, ...phrases: readonly (readonly string[])[]): Matcher => {
  const contents: readonly Searchable[] = phrases.map((own, id) => ({ id, phrases: own }));
  return createMatcher(contents, { language, words: loadMatchingWords(language) });
};

const answerOf = (matcher: Matcher, question: string): number | null => {
  const { hits, threshold } = matcher.search(question);
  const [best] = hits;
  return best !== undefined && best.score >= threshold ? best.id : null;
};

describe("a code that no content has", () => {
  const cases: readonly (readonly [string, readonly string[], string, string])[] = [
    ["en", ["What does error E-1234 mean?", "Error code E1234"], "Error code E-9999", "e1234"],
    ["en", ["What does error E24 mean?"], "What does error E42 mean?", "error E-24"],
    ["en", ["HTTP 404", "What does status 404 mean?"], "What does status 500 mean?", "status 404"],
    ["en", ["I see a 404 error"], "I see a 500 error", "404 error"],
    [
      "en",
      ["How do I install version 2.1?"],
      "How do I install version 3.4?",
      "install version 2.1",
    ],
    ["en", ["Manual of the pump, article 12-345"], "manual pump article 12-999", "article 12-345"],
    ["de", ["Was bedeutet Fehler F07?"], "Was bedeutet Fehler F12?", "Fehler F-07"],
    ["it", ["Errore E-21 sul display"], "Errore E-77 sul display", "errore E21 display"],
    ["ru", ["Ошибка Е24 на экране"], "Ошибка Е42 на экране", "ошибка Е-24"],
    ["zh", ["显示错误E24怎么办"], "显示错误E42怎么办", "错误E24"],
    ["ja", ["エラー404が表示されます"], "エラー500が表示されます", "エラー404"],
    ["th", ["เครื่องแสดงรหัส E24"], "เครื่องแสดงรหัส E42", "รหัส E24"],
  ];

  it.each(cases)("in %s is not answered with %j: %s", (language, phrases, unknown, known) => {
    const matcher = matcherOf(language, phrases);
    expect(answerOf(matcher, unknown)).toBeNull();
    expect(answerOf(matcher, known)).toBe(0);
  });

  it("leaves the content that has the code first", () => {
    const matcher = matcherOf("en", ["What does error E24 mean?"], ["What does error E42 mean?"]);
    expect(answerOf(matcher, "tell me what error e-42 means")).toBe(1);
  });
});

describe("a lone letter", () => {
  const contents = [["What is plan B?", "Plan B price"], ["Vitamin C tablets"], ["B"]] as const;

  it("is ignored alone, unless a phrase is that letter or a few contents are to choose from", () => {
    const matcher = matcherOf("en", ["What is plan B?", "Plan B price"], ["Vitamin C tablets"]);
    for (const question of ["b", "c", "a b c", "b c d"]) {
      const { hits, offer } = matcher.search(question);
      expect([question, (hits[0]?.score ?? 0) < offer]).toEqual([question, true]);
    }
    expect(matcher.among("b", [0, 1]).hits[0]?.id).toBe(0);
    expect(matcher.among("b", [0, 1]).hits[0]?.score).toBeGreaterThan(0.5);
    expect(answerOf(matcherOf("en", ...contents), "b")).toBe(2);
  });

  it.each([
    ["en", "What is plan B?", ["what does b mean", "is it b or c?", "tell me b"], "my plan b"],
    ["de", "Was kostet Tarif B?", ["was bedeutet b", "wieso gerade b"], "kostet mich tarif b was"],
    ["ru", "Что такое тариф Б?", ["что значит б", "а если б"], "сколько стоит тариф б"],
    ["en", "X-ray results", ["what about x"], "when are the x ray results there"],
  ])("is ignored unless it follows a word that has one in a phrase, in %s", (...row) => {
    const [language, phrase, strange, asked] = row;
    const matcher = matcherOf(language, [phrase], ["Opening hours"]);
    for (const question of strange) {
      const { hits, offer } = matcher.search(question);
      expect([question, (hits[0]?.score ?? 0) < offer]).toEqual([question, true]);
    }
    expect(answerOf(matcher, asked)).toBe(0);
  });

  it("names one of several behind a word, so that another one is not the answer", () => {
    const matcher = matcherOf("de", ["Was kostet Tarif M?"], ["Öffnungszeiten"]);
    expect([answerOf(matcher, "Tarif M"), answerOf(matcher, "Tarif L")]).toEqual([0, null]);
    const english = matcherOf("en", ["What is plan B?"], ["Opening hours"]);
    expect([answerOf(english, "plan b"), answerOf(english, "plan c")]).toEqual([0, null]);
  });
});

describe("a free number", () => {
  test.each([
    ["Where is my order 4711?", ["Where is my order?", "Order status"]],
    ["Where is order 4711?", ["Where is my order?", "Where is order 1234?"]],
    ["My X100 shows E24", ["The display shows E24", "Error E24 on the display"]],
    [
      "Can I book a room for march 21?",
      ["Book a room for march 1", "A room for march 3", "room for march 7", "room for march 30"],
    ],
  ])("%j is answered by %j", (question, phrases) => {
    expect(answerOf(matcherOf("en", phrases, ["Opening hours"]), question)).toBe(0);
  });
});
