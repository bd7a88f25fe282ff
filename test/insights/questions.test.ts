import { expect, it } from "vitest";
import type { QuestionGroup } from "../../src/insights/facts.ts";
import { readQuestions } from "../../src/insights/read-questions.ts";
import type { KeptQuestions } from "../../src/insights/questions.ts";
import { createInsightsStore } from "../../src/insights/store.ts";
import type { InsightsDatabase } from "../../src/insights/tables.ts";
import { everything, noteAll, digest } from "./counting.ts";
import { ask, openStoreAt } from "./asking.ts";

const day = 86_400_000;

/** A store of questions with a clock that the test sets. */
async function openAt(start: string, options: Partial<KeptQuestions> = {}) {
  const { database, time, kept, write } = await openStoreAt(start, options);
  let readers = 0;
  return {
    database,
    time,
    kept,
    /** Each question is asked in a new conversation, unless a session is passed. */
    async ask(language: string, texts: readonly string[], session?: string, instance = "shop") {
      const facts = texts.map((typed) =>
        ask({ at: time.now, language, typed, instance, session: session ?? `reader ${readers++}` }),
      );
      await write(facts);
    },
    read: (filter: Partial<typeof everything> = {}): Promise<readonly QuestionGroup[]> =>
      readQuestions(database, { ...everything, ...filter, questions: 1000 }, kept, time.now),
  };
}

it.each([
  [
    "en",
    ["Do you ship to Canada?", "can you ship to canada", "shipping to Canada please"],
    "Do you ship to Norway?",
  ],
  [
    "de",
    ["Kann ich auf Rechnung zahlen?", "Zahlung auf Rechnung möglich", "auf Rechnung zahlen"],
    "Kann ich mit Gutschein zahlen?",
  ],
  [
    "fi",
    ["Toimitatteko Ruotsiin?", "toimitus ruotsiin", "Toimitatteko te Ruotsiin"],
    "Toimitatteko Norjaan?",
  ],
  ["zh", ["可以开发票吗？", "怎么开发票", "我要开发票"], "可以退货吗？"],
  ["ja", ["海外発送はできますか", "海外への発送", "海外に発送したい"], "返品はできますか"],
  [
    "ar",
    ["هل يوجد توصيل إلى الكويت؟", "التوصيل الى الكويت", "توصيل للكويت"],
    "هل يوجد توصيل إلى قطر؟",
  ],
  [
    "ru",
    ["вы доставляете в Казань?", "доставка в казань", "доставите в Казань"],
    "доставка в Омск",
  ],
  ["ko", ["제주도 배송 되나요", "제주도로 배송 가능한가요?", "제주도 배송"], "반품 되나요"],
])("puts questions that ask the same into one group: %s", async (language, same, other) => {
  const { ask, read } = await openAt("2026-11-01T10:00:00Z");
  await ask(language, [...same.slice(0, 2), other]);
  await ask(language, same.slice(2));
  const groups = await read();
  expect(groups.map(({ text, asked }) => [text, asked])).toEqual([
    [
      expect.stringMatching(same.map((one) => one.normalize("NFKC").replace("?", "\\?")).join("|")),
      3,
    ],
    [other.normalize("NFKC"), 1],
  ]);
  expect(groups[0]).toMatchObject({
    language,
    line: "no-results",
    speaker: "own",
    conversations: 3,
  });
});

it("keeps error codes, sizes and languages apart", async () => {
  const { ask, read } = await openAt("2026-11-01T10:00:00Z");
  await ask("en", ["error E-24", "error E24", "error E-25", "shoes size 42", "shoes size 43"]);
  await ask("de", ["error E-24"]);
  expect((await read()).map(({ asked }) => asked)).toEqual([2, 1, 1, 1, 1]);
});

it("counts a conversation once, also if its reader asks again", async () => {
  const { ask, read, time } = await openAt("2026-11-01T23:50:00Z");
  await ask("en", ["gift cards?", "gift cards", "Gift cards!"], "reader");
  time.now += 20 * 60_000;
  await ask("en", ["gift cards"], "reader");
  expect(await read()).toMatchObject([{ asked: 4, conversations: 1 }]);
});

it("shows a vendor's question from three conversations on, without words that only one used", async () => {
  const { ask, read } = await openAt("2026-11-01T10:00:00Z", { isOwn: () => false });
  await ask("en", ["can Wilhelmina pick up gift cards in the store"]);
  await ask("en", ["pick up gift cards in the store"]);
  expect(await read()).toEqual([]);
  await ask("en", ["can Ottokar pick up gift cards in the store please"]);
  expect(await read()).toMatchObject([
    { text: "pick up gift cards in the store", conversations: 3 },
  ]);
  const { ask: again, read: others } = await openAt("2026-11-01T10:00:00Z", { isOwn: () => false });
  for (const name of ["Wilhelmina", "Ottokar", "Kunigunde"]) {
    await again("de", [`Darf ${name} Geschenkkarten im Laden in Bremen abholen?`]);
  }
  expect(await others()).toMatchObject([
    { text: "Darf […] Geschenkkarten im Laden in Bremen abholen?", conversations: 3 },
  ]);
});

it("keeps a limited number of groups per instance: those with the most conversations", async () => {
  const { ask, read } = await openAt("2026-11-01T10:00:00Z", { maxGroups: 20 });
  const words = (from: number) =>
    Array.from({ length: 15 }, (_, at) => `zq${String.fromCharCode(97 + from + at).repeat(6)}`);
  await ask("en", ["gift cards?", "gift cards"]);
  await ask("en", words(0));
  await ask("en", words(0).slice(0, 3), "other", "bank");
  await ask("en", words(8).toReversed());
  const groups = await read();
  expect(groups.filter(({ instance }) => instance === "shop")).toHaveLength(20);
  expect(groups.filter(({ instance }) => instance === "bank")).toHaveLength(3);
  expect(groups[0]).toMatchObject({ text: "gift cards", conversations: 2 });
});

it("forgets a question's words when they are older than they are kept", async () => {
  const { ask, read, time, database } = await openAt("2026-01-01T10:00:00Z");
  await ask("en", ["gift cards?"]);
  time.now += 89 * day;
  expect(await read()).toHaveLength(1);
  await ask("en", ["which Wilhelmina has gift cards"]);
  time.now += 2 * day;
  // The older words are gone, although others asked the same since.
  expect(await textsIn(database)).toEqual(["which Wilhelmina has gift cards"]);
  time.now += 90 * day;
  expect(await read()).toEqual([]);
  await ask("en", ["something else entirely"]);
  expect(await textsIn(database)).toEqual(["something else entirely"]);
  const askers = await database.kysely.selectFrom("insight_askers").selectAll().execute();
  expect(askers).toHaveLength(1);
});

async function textsIn({ kysely }: InsightsDatabase): Promise<readonly string[]> {
  const rows = await kysely.selectFrom("insight_questions").select("text").execute();
  return rows.map(({ text }) => text);
}

it("leaves a question out when it is unknown which names its reader gave", async () => {
  const { ask: _, database, kept, time, read } = await openAt("2026-11-01T10:00:00Z");
  const questions = {
    ...kept,
    valuesTold: async (session: string) => [session, "gold card"],
  };
  const hashing = { digest, questions };
  const store = createInsightsStore({ ...hashing, database, createSalt: () => "salt" });
  const fact = ask({
    at: time.now,
    language: "en",
    typed: "is Ada a member",
    instance: "shop",
    session: "Ada",
  });
  const away = { ...fact, readNames: () => Promise.reject(new Error("away")) };
  await store.write(noteAll([away], hashing), [], time.now);
  expect(await read()).toEqual([]);
  const namedFact = { ...fact, readNames: async () => ["Member"] };
  await store.write(noteAll([namedFact], hashing), [], time.now);
  expect(await read()).toMatchObject([{ text: "is […] a […]" }]);
});

it("leaves out the name that its reader gave in an earlier question, or before in the same one", async () => {
  const { ask, database } = await openAt("2026-11-01T10:00:00Z");
  await ask("en", ["Hi, my name is Zelmira Quandt", "why is Zelmira’s parcel late"], "one");
  await ask("en", ["can Quandt pay later"], "one");
  await ask("en", ["my name is Orsolya, has Orsolya been charged"], "two");
  await ask("en", ["do you know Zelmira"], "two");
  await ask("zh", ["我叫王小明", "小明可以退货吗"], "three");
  await ask("ko", ["김민수입니다", "민수 주문 어디 있나요"], "four");
  await ask("ar", ["أنا محمد", "أين طلب محمد"], "five");
  // A guess is the name only with a capital, and an ordinary word never is.
  await ask("en", ["I'm Mark. can you mark my order", "did you send Mark a mail"], "six");
  await ask("en", ["my name is Will, will the blue sofa arrive"], "seven");
  expect(await textsIn(database)).toEqual([
    "Hi, my name is […]",
    "why is […]'s parcel late",
    "can […] pay later",
    "my name is […], has […] been charged",
    "do you know Zelmira",
    "我叫[…]",
    "[…]可以退货吗",
    "[…]입니다",
    "[…] 주문 어디 있나요",
    "أنا […]",
    "أين طلب […]",
    "I'm […] can you mark my order",
    "did you send […] a mail",
    "my name is […], will the blue sofa arrive",
  ]);
});

it("says since when a content answers a group, until it is asked in vain again", async () => {
  const nearest = { id: 7, language: "en", title: "Gift cards", score: 0.9 };
  let verdict: "answers" | "no" = "no";
  const { ask, read, time } = await openAt("2026-11-01T10:00:00Z", {
    nearest: (_, __, question) => (question === "gift cards?" ? { ...nearest, verdict } : null),
  });
  await ask("en", ["gift cards?"]);
  expect(await read()).toMatchObject([{ nearest, answered: null }]);
  verdict = "answers";
  time.now += day;
  const answered = { content: 7, since: "2026-11-02T10:00:00.000Z" };
  expect(await read()).toMatchObject([{ answered }]);
  time.now += day;
  expect(await read()).toMatchObject([{ answered }]);
  await ask("en", ["gift cards?"]);
  expect(await read()).toMatchObject([{ answered: { since: "2026-11-03T10:00:00.000Z" } }]);
});
