import { expect, it } from "vitest";
import { eraseInsights } from "../../src/insights/erase.ts";
import type { Fact } from "../../src/insights/facts.ts";
import type { KeptQuestions } from "../../src/insights/questions.ts";
import { readQuestions } from "../../src/insights/read-questions.ts";
import { readReport } from "../../src/insights/report.ts";
import { ask, openStoreAt, showContent } from "./asking.ts";
import { everything } from "./counting.ts";

const day = 86_400_000;

/** A store with a clock that the test sets, of a bot with contents in English alone. */
async function openAt(start: string, options: Partial<KeptQuestions> = {}) {
  const languageOfContents = () => "en";
  const opened = await openStoreAt(start, options, { languageOfContents });
  const { database, time, kept } = opened;
  let readers = 0;
  const asked = (typed: string, session = `reader ${readers++}`, language = "en") => {
    return { at: time.now, instance: "shop", language, session, typed };
  };
  return {
    database,
    time,
    asked,
    write: (...facts: readonly Fact[]) => opened.write(facts),
    counts: async (id: number) => {
      const contents = { language: "en", id };
      return (await readReport(database, { ...everything, contents })).contents?.[0] ?? null;
    },
    questions: async (id: number) => {
      const contents = { language: "en", id };
      const groups = await readQuestions(
        database,
        { ...everything, contents, questions: 100 },
        kept,
        time.now,
      );
      return groups.map(({ text, conversations }) => [text, conversations]);
    },
    unanswered: async () => {
      const groups = await readQuestions(
        database,
        { ...everything, questions: 100 },
        kept,
        time.now,
      );
      return groups.map(({ text }) => text);
    },
  };
}

it("counts what readers did after a content, and those who leave as helped", async () => {
  const { time, asked, write, counts } = await openAt("2026-11-01T10:00:00Z");
  await write(showContent(asked("opening hours", "one"), 1));
  await write(showContent(asked("opening hours", "two"), 1));
  await write(ask(asked("something else", "two")));
  const outcomes = write(showContent(asked("sizes", "one"), 2));
  expect(await outcomes).toEqual([{ line: "content", outcome: "answered", count: 1 }]);
  time.now += 31 * 60_000;
  await write();
  expect(await counts(1)).toMatchObject({ said: 2, answered: 1, failed: 1, unrecovered: 1 });
  expect(await counts(2)).toMatchObject({ said: 1, left: 1, unrecovered: 0 });
});

it("counts a content in its own language, and takes names out in that of the reader", async () => {
  const { asked, write, counts, questions } = await openAt("2026-11-01T10:00:00Z");
  await write(
    showContent(asked("Ich heiße Annegret. Wann öffnen Sie?", "one", "de"), 1, { language: "de" }),
  );
  expect(await counts(1)).toMatchObject({ language: "en", said: 1 });
  expect(await questions(1)).toEqual([["Ich heiße […] Wann öffnen Sie?", 1]]);
});

it("puts questions that ask the same into one group of their content, apart from those in vain", async () => {
  const { asked, write, questions, unanswered } = await openAt("2026-11-01T10:00:00Z");
  await write(
    ask(asked("Do you ship to Canada?")),
    showContent(asked("Do you ship to Canada?"), 1),
    showContent(asked("can you ship to canada"), 1),
    showContent(asked("shipping to Canada please"), 2),
  );
  expect(await questions(1)).toEqual([[expect.stringMatching(/canada/i), 2]]);
  expect(await questions(2)).toEqual([["shipping to Canada please", 1]]);
  expect(await unanswered()).toEqual(["Do you ship to Canada?"]);
});

it("keeps no yes or no, no chosen option, and nothing whose conversation cannot be read", async () => {
  const { asked, write, counts, questions } = await openAt("2026-11-01T10:00:00Z");
  const isReply = async () => true;
  const readContents = () => Promise.reject(new Error("away"));
  await write(
    showContent(asked("yes please"), 1, { isReply }),
    { ...showContent(asked("Sizes"), 1), readRequest: () => ({ isOption: true, typed: null }) },
    { ...showContent(asked("opening hours"), 1), readContents },
  );
  expect(await counts(1)).toMatchObject({ said: 2 });
  expect(await questions(1)).toEqual([]);
});

it("forgets answered questions for others, never those without an answer", async () => {
  const bound = { maxGroups: 2 };
  const { asked, write, questions, unanswered } = await openAt("2026-11-01T10:00:00Z", bound);
  await write(ask(asked("Is the moon a balloon?")));
  const words = ["parcels", "vouchers", "returns", "invoices"];
  for (const word of words) await write(showContent(asked(`Where are my ${word}?`), 1));
  expect(await questions(1)).toHaveLength(2);
  expect(await unanswered()).toEqual(["Is the moon a balloon?"]);
});

it("takes few of a flood of answered questions, and counts all of them", async () => {
  const { asked, write, counts, questions } = await openAt("2026-11-01T10:00:00Z");
  const flood = Array.from({ length: 400 }, () => showContent(asked("opening hours"), 1));
  await write(...flood, ask(asked("Is the moon a balloon?")));
  expect(await counts(1)).toMatchObject({ said: 400 });
  expect(await questions(1)).toEqual([["opening hours", 100]]);
});

it("forgets the words after their retention, and erases counts and words", async () => {
  const { database, time, asked, write, counts, questions } = await openAt("2026-11-01T10:00:00Z");
  await write(showContent(asked("opening hours"), 1));
  time.now += 91 * day;
  await write(showContent(asked("opening hours"), 2));
  expect(await questions(1)).toEqual([]);
  expect(await counts(1)).toMatchObject({ said: 1, left: 1 });
  const rows = await database.kysely.selectFrom("insight_questions").select("text").execute();
  expect(rows).toHaveLength(1);
  await eraseInsights(database, { instances: ["shop"], demo: false });
  expect(await counts(1)).toBe(null);
  expect(await questions(2)).toEqual([]);
});
