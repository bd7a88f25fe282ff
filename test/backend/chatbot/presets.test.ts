import { describe, expect, test } from "vitest";
import { bot, chat, content, flagsOf, option } from "./bot.ts";

const discarded = [1, 2].map((id) =>
  content({
    id,
    title: `Way ${id}`,
    alternatives: ["how to get there"],
    checkQuestion: `Way ${id}?`,
  }),
);
const own = [
  ...discarded,
  content({ id: 20, title: "Our hello", hidden: true, answers: ["Good day!"] }),
  content({
    id: 21,
    title: "Our apology",
    hidden: true,
    answers: ["We do not know."],
    options: [option("Write to us", 23), option("Call us", 24)],
  }),
  content({ id: 22, title: "Our question", hidden: true, answers: ["Say something."] }),
  content({ id: 23, title: "E-mail" }),
  content({ id: 24, title: "Phone" }),
  content({ id: 25, title: "Our surrender", hidden: true, answers: ["Then I give up."] }),
];
const customized = {
  welcome: 20,
  "no-results": 21,
  "no-question": 22,
  "all-options-discarded": 25,
} as const;

describe("a customized direct answer", () => {
  test("is that content, without the flag", async () => {
    const { ask } = await chat(bot(own, { customized }));
    expect(await ask("")).toMatchObject([
      { message: "Good day!", flags: [], attributes: { inbMainTitle: "Our hello" } },
    ]);
    expect(await ask("")).toMatchObject([{ message: "Say something.", flags: [] }]);
    await ask("how to get there");
    await ask("no");
    expect(await ask("no")).toMatchObject([{ message: "Then I give up.", flags: [] }]);
  });

  test("may go on with options, and the turn still counts as unanswered", async () => {
    const { ask, turn, get } = await chat(bot(own, { customized }));
    const answers = await ask("zebra");
    expect(answers).toMatchObject([
      { message: "We do not know.", flags: [] },
      { type: "multipleChoiceQuestion", flags: ["multiple-options"] },
    ]);
    const { body } = await get("/v1/conversation/variables");
    expect(body.sys_unanswered_consecutive.value).toBe("1");
    expect((await turn({ option: 24 }))[0].attributes.title).toBe("Phone");
  });

  test("that asks something reads the next message first, whatever was open before it", async () => {
    const { ask, turn } = await chat(bot(own, { customized: { "no-question": 21 } }));
    await ask("");
    await ask("how to get there");
    await ask("");
    expect((await turn({ option: 24 }))[0].attributes.title).toBe("Phone");
    await ask("how to get there");
    await ask("");
    expect(flagsOf(await ask("no"))).toStrictEqual([["no-subset-match"]]);
  });

  test("that this reader may not see leaves the engine's own in place", async () => {
    const items = own.map((item) => (item.id === 20 ? { ...item, published: false } : item));
    const { ask } = await chat(bot(items, { customized }));
    expect(flagsOf(await ask(""))).toStrictEqual([["welcome"]]);
  });

  test("goes before active default content", async () => {
    const { ask } = await chat(bot(own, { customized: { welcome: 20 } }), { key: "demo-modern" });
    expect((await ask(""))[0].attributes.inbMainTitle).toBe("Our hello");
    expect((await ask("zebra"))[0].attributes.inbMainTitle).toBe("No Results");
  });
});

describe("active default content", () => {
  test("hides all-options-discarded behind its title", async () => {
    const { ask, get } = await chat(bot(discarded), { key: "demo-modern" });
    await ask("how to get there");
    await ask("no");
    expect(await ask("no")).toMatchObject([
      {
        type: "answer",
        flags: [],
        attributes: { inbMainTitle: "All options discarded" },
        intent: { type: "AIML", score: 1 },
      },
    ]);
    const { body } = await get("/v1/conversation/variables");
    expect(body.sys_unanswered_consecutive.value).toBe("1");
  });

  test("hides no other flag", async () => {
    const items = [
      ...discarded.map((item) => ({ ...item, checkQuestion: null })),
      ...Array.from({ length: 7 }, (_, index) =>
        content({ id: 50 + index, title: `${index}`, alternatives: ["everything at once"] }),
      ),
    ];
    const { ask } = await chat(bot(items), { key: "demo-modern" });
    expect(flagsOf(await ask("how to get there"))).toStrictEqual([["multiple-options"]]);
    expect(flagsOf(await ask("zebra"))).toStrictEqual([["no-subset-match"]]);
    expect(flagsOf(await ask("everything at once"))).toStrictEqual([
      ["no-subset-match"],
      ["refinement"],
    ]);
  });
});
