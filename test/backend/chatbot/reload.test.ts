import { expect, test } from "vitest";
import type { Content, ContentItem } from "../../../src/backend/content/types.ts";
import { bot, chat, content, contentOf, flagsOf, form, option } from "./bot.ts";

const menu = content({ id: 1, title: "Menu", options: [option("A", 2), option("B", 3)] });
const first = content({ id: 2, title: "Opening hours" });
const second = content({ id: 3, title: "Gift cards" });
const inquiry = content({ id: 4, title: "Inquiry", form: form() });
const rival = (id: number): ContentItem =>
  content({ id, title: `Way ${id}`, alternatives: ["how to go"], checkQuestion: `Way ${id}?` });

/** Content that a test replaces. */
function changing(items: readonly ContentItem[]): {
  current: () => Content;
  onChange: (listener: (content: Content) => Promise<void>) => void;
  become: (items: readonly ContentItem[]) => Promise<void>;
  replace: (content: Content) => Promise<void>;
} {
  const listeners: ((content: Content) => Promise<void>)[] = [];
  let current = contentOf(items);
  const replace = async (content: Content): Promise<void> => {
    current = content;
    for (const listener of listeners) await listener(content);
  };
  return {
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    become: (next) => replace(contentOf(next)),
    replace,
  };
}

test("new contents answer, in conversations under way too", async () => {
  const source = changing([first]);
  const { ask } = await chat(bot(source));
  expect(flagsOf(await ask("gift cards"))).toStrictEqual([["no-results"]]);
  await source.become([second]);
  expect((await ask("gift cards"))[0].attributes.title).toBe("Gift cards");
  expect(flagsOf(await ask("opening hours"))).toStrictEqual([["no-results"]]);
});

test("a conversation survives when contents that it was offered are gone", async () => {
  const source = changing([menu, first, second]);
  const { ask, turn } = await chat(bot(source));
  await ask("menu");
  await source.become([second]);
  expect(flagsOf(await turn({ option: 2 }))).toStrictEqual([["no-subset-match"]]);
  expect((await turn({ option: 3 }))[0].attributes.title).toBe("Gift cards");
});

test("a form that is gone ends, and the next message is a question again", async () => {
  const source = changing([inquiry, second]);
  const { ask } = await chat(bot(source));
  await ask("inquiry");
  await source.become([{ ...inquiry, form: null }, second]);
  expect((await ask("gift cards"))[0].attributes.title).toBe("Gift cards");
});

test("a check question about a content that is gone leads to the next", async () => {
  const source = changing([5, 6, 7].map(rival));
  const { ask } = await chat(bot(source));
  expect((await ask("how to go"))[0].message).toBe("Way 5?");
  await source.become([6, 7].map(rival));
  // The content that the reader says yes to no longer exists.
  expect((await ask("yes"))[0].message).toBe("Way 6?");
  await source.become([]);
  expect(flagsOf(await ask("yes"))).toStrictEqual([["no-results"]]);
});

test("contents with mistakes leave the previous ones in force, and are reported", async () => {
  const source = changing([first]);
  const failures: unknown[] = [];
  const { ask } = await chat(bot(source, { report: (error) => void failures.push(error) }));
  await source.replace({ ...contentOf([second]), texts: new Map() });
  expect(failures).toHaveLength(1);
  expect((await ask("opening hours"))[0].attributes.title).toBe("Opening hours");
});

test("of changes that arrive during a build, only the last is built", async () => {
  const source = changing([first]);
  const { ask } = await chat(bot(source));
  const changes = [source.become([menu]), source.become([inquiry]), source.become([second])];
  await Promise.all(changes);
  expect((await ask("gift cards"))[0].attributes.title).toBe("Gift cards");
  expect(flagsOf(await ask("inquiry"))).toStrictEqual([["no-results"]]);
});
