import { describe, expect, it } from "vitest";
import { seeded } from "../../bench/backend/random.ts";
import { inventContents } from "../../bench/intents-scale.ts";
import { createMatcher } from "../../src/matching/matcher.ts";
import type { Hit, Matcher, Searchable } from "../../src/matching/types.ts";

const random = seeded(11);
const below = (limit: number): number => Math.floor(random() * limit);
const part = (): string => `${"bdfgklmnprst"[below(12)]}${"aeiou"[below(5)]}${"lmnrst"[below(6)]}`;
const words = Array.from({ length: 1_500 }, () => part() + part());
const word = (): string => words[Math.floor(random() ** 2 * words.length)] ?? "";

/**
 * Contents of many words, of which some are far commoner than others; some phrases are nothing but
 * stop words.
 */
function desk(contents: number, phrases: number): readonly Searchable[] {
  return Array.from({ length: contents }, (_, id) => ({
    id: id + 1,
    phrases: Array.from({ length: phrases }, (__, place) =>
      id % 50 === 7 && place === 1
        ? "how do i do it"
        : Array.from({ length: 3 + below(6) }, word).join(" "),
    ),
  }));
}

const few = "how can i change the address of an order of mine and where is it";
const bases: readonly (readonly [string, readonly Searchable[]])[] = [
  ["with classifiers", desk(300, 4)],
  ["with classifiers, of few words", inventContents([few], 150, 4)],
  ["too large for classifiers", desk(2_500, 2)],
  ["too large for classifiers, of few words", inventContents([few], 2_500, 2)],
];

describe.each(bases)("what answers a question, in a base %s", (_, contents) => {
  const matcher = createMatcher(contents, { language: "en" });
  const questions = questionsFor(contents);

  it("are the hits of a search that reach its threshold, to the last bit", () => {
    let answered = 0;
    for (const question of questions) {
      const wanted = answersAmong(matcher.search(question, 50));
      answered += wanted.length;
      expect([question, matcher.answers(question, null, 50)]).toEqual([question, wanted]);
    }
    expect(answered).toBeGreaterThan(questions.length / 3);
  });

  it("are those of a search within some contents, and no more than asked for", () => {
    const ids = contents.flatMap(({ id }) => (id % 3 === 0 ? [] : [id]));
    for (const question of questions) {
      const wanted = answersAmong(matcher.within(question, ids, 3));
      expect([question, matcher.answers(question, ids, 3)]).toEqual([question, wanted]);
    }
  });
});

function answersAmong({ hits, threshold }: ReturnType<Matcher["search"]>): readonly Hit[] {
  return hits.filter(({ score }) => score >= threshold);
}

/**
 * Phrases as they are, with words left out, put in and misspelt, single words, very long ones, and
 * what says nothing.
 */
function questionsFor(contents: readonly Searchable[]): readonly string[] {
  const phrases = Array.from({ length: 60 }, () => {
    const { phrases: own } = contents[below(contents.length)] ?? { phrases: [] };
    return own[below(own.length)] ?? "";
  });
  return [
    ...phrases,
    ...phrases.map((phrase) => phrase.split(" ").slice(1).join(" ")),
    ...phrases.map((phrase) => `${phrase} ${word()}`),
    ...phrases.map((phrase) => phrase.replace(/(\w)(\w)(\w)(?=\w\w)/, "$1$3$2")),
    ...phrases.map((phrase) => phrase.split(" ")[0] ?? ""),
    phrases.join(" "),
    phrases.slice(0, 6).join(" "),
    "how do i do it",
    "how do i",
    "unheard of",
    "?!",
    "",
  ];
}
