// Suite: slow
import { describe, expect, test } from "vitest";
import { loadContent } from "../../../src/backend/content/load.ts";
import { contentDirectory, open, talk } from "../client.ts";
import type { Json } from "../client.ts";

const { languages } = await loadContent(contentDirectory);
const opened = open({ limits: null });

describe.each([...languages])("the shipped content in %s", (lang, { items }) => {
  const answersTo = async (body: object): Promise<Json[]> => {
    const { app } = await opened;
    // As many options as there may be contents with one phrase.
    const { send } = await talk(app, { body: { lang, answers: { maxOptions: 20 } } });
    return (await send(body)).body.answers;
  };
  const found = items.filter(({ hidden }) => !hidden);
  const phrases = new Map<string, Set<number>>();
  for (const { id, title, alternatives } of found) {
    for (const phrase of [title, ...alternatives]) {
      phrases.set(phrase, (phrases.get(phrase) ?? new Set()).add(id));
    }
  }

  test("is found by each title and each alternative, as written and as readers type it", async () => {
    for (const [phrase, ids] of phrases) {
      const plain = phrase
        .toLowerCase()
        .normalize("NFD")
        .replace(/[\p{M}?¿!]/gu, "");
      for (const message of [phrase, plain]) {
        const [answer] = await answersTo({ message });
        const [first] = ids;
        const titleOf = (id?: number): string | undefined =>
          items.find((item) => item.id === id)?.title;
        if (ids.size === 1) {
          expect([message, answer.attributes.title]).toStrictEqual([message, titleOf(first)]);
        } else if (answer.type === "polarQuestion") {
          const checked = items.find(({ id }) => id === first)?.checkQuestion;
          expect([message, answer.message]).toStrictEqual([message, checked]);
        } else {
          const offered = answer.options.map(({ value }: Json) => value);
          expect([message, new Set(offered)]).toStrictEqual([message, ids]);
        }
      }
    }
  });

  test("is reached by a call or through an option where no question finds it", async () => {
    for (const { id, title, directCall, hidden } of items) {
      if (directCall !== null) {
        const [answer] = await answersTo({ directCall });
        expect([directCall, answer.attributes.title]).toStrictEqual([directCall, title]);
      } else if (hidden) {
        const ways = items.filter(({ options }) => options.some(({ content }) => content === id));
        expect([title, ways.length]).not.toStrictEqual([title, 0]);
      }
    }
  });
});
