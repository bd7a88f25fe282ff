import { describe, expect, test } from "vitest";
import { bot, chat, content, contentOf, flagsOf } from "./bot.ts";
import type { Chat } from "./bot.ts";

const checked = [
  content({
    id: 1,
    title: "Card payment",
    alternatives: ["how do I pay"],
    checkQuestion: "Do you want to pay by card?",
  }),
  content({
    id: 2,
    title: "Invoice payment",
    alternatives: ["how do I pay"],
    checkQuestion: "Do you want to pay by invoice?",
  }),
  content({
    id: 3,
    title: "Cash payment",
    alternatives: ["how do I pay"],
    checkQuestion: "Do you want to pay in cash?",
  }),
  content({ id: 4, title: "Opening hours", checkQuestion: "The hours?" }),
];

const asked = (chatting: Chat): Promise<unknown> =>
  chatting.ask("how do I pay").then(([answer]) => answer.message);

describe("results that all have a check question", () => {
  test("are asked about one after the other, with a polar question without a flag", async () => {
    const { ask, turn } = await chat(bot(checked));
    expect(await ask("how do I pay")).toStrictEqual([
      {
        type: "polarQuestion",
        message: "Do you want to pay by card?",
        messageList: ["Do you want to pay by card?"],
        options: [
          { label: "yes", value: 1 },
          { label: "no", value: 2 },
        ],
        actionField: null,
        flags: [],
        attributes: {},
        parameters: { contents: null },
      },
    ]);
    expect((await turn({ option: 2 }))[0].message).toBe("Do you want to pay by invoice?");
    const [answer] = await turn({ option: 1 });
    expect(answer).toMatchObject({ type: "answer", attributes: { title: "Invoice payment" } });
    expect(flagsOf(await turn({ option: 2 }))).toStrictEqual([["no-results"]]);
  });

  test.each([
    [{ option: 1 }],
    [{ option: "1" }],
    [{ option: "yes" }],
    [{ message: "yes" }],
    [{ message: "Yes, please" }],
    [{ message: "card payment" }],
  ])("%j shows the one that was asked about", async (body) => {
    const chatting = await chat(bot(checked));
    await asked(chatting);
    expect((await chatting.turn(body))[0].attributes.title).toBe("Card payment");
  });

  test.each([[{ option: 2 }], [{ option: 0 }], [{ option: "no" }], [{ message: "No." }]])(
    "%j goes on to the next",
    async (body) => {
      const chatting = await chat(bot(checked));
      await asked(chatting);
      expect((await chatting.turn(body))[0].message).toBe("Do you want to pay by invoice?");
    },
  );

  test("a no to every one is all-options-discarded", async () => {
    const chatting = await chat(bot(checked));
    await asked(chatting);
    await chatting.ask("no");
    await chatting.ask("no");
    expect(await chatting.ask("no")).toMatchObject([
      {
        type: "answer",
        flags: ["all-options-discarded"],
        message:
          "It seems like none of the options I found are helpful. Please search for another word or phrase.",
      },
    ]);
    expect(
      (await chatting.get("/v1/conversation/variables")).body.sys_unanswered_consecutive.value,
    ).toBe("1");
    expect(flagsOf(await chatting.ask("no"))).toStrictEqual([["no-results"]]);
  });

  test("with skipLastCheckQuestion the last is shown without being asked about", async () => {
    const body = { answers: { skipLastCheckQuestion: "1" } };
    const chatting = await chat(bot(checked.slice(0, 2)), { body });
    await asked(chatting);
    expect((await chatting.ask("no"))[0]).toMatchObject({
      type: "answer",
      attributes: { title: "Invoice payment" },
    });
  });

  test("are understood in the conversation's language, and an English no always is", async () => {
    const chatting = await chat(bot(contentOf(checked, {}, "ja")), { body: { lang: "ja" } });
    await asked(chatting);
    expect((await chatting.ask("いいえ"))[0].message).toBe("Do you want to pay by invoice?");
    expect((await chatting.ask("no"))[0].message).toBe("Do you want to pay in cash?");
    expect((await chatting.ask("はい"))[0].attributes.title).toBe("Cash payment");
  });

  test("a yes or a no without a question finds nothing but a title", async () => {
    const items = [
      content({ id: 1, title: "No news of my parcel" }),
      content({ id: 2, title: "Yes" }),
    ];
    const { ask } = await chat(bot(items));
    expect(flagsOf(await ask("no"))).toStrictEqual([["no-results"]]);
    expect((await ask("yes"))[0].attributes.title).toBe("Yes");
  });

  test("any other message is no-subset-match, and the answer to it follows", async () => {
    const chatting = await chat(bot(checked));
    await asked(chatting);
    const answers = await chatting.ask("opening hours");
    expect(flagsOf(answers)).toStrictEqual([["no-subset-match"], []]);
    expect(answers[1].attributes.title).toBe("Opening hours");
  });

  test("a message that finds nothing is no-subset-match alone, once, and the question stays open", async () => {
    const chatting = await chat(bot(checked));
    await asked(chatting);
    expect(flagsOf(await chatting.ask("zebra"))).toStrictEqual([["no-subset-match"]]);
    expect((await chatting.ask("yes"))[0].attributes.title).toBe("Card payment");
  });

  test("another one of them by its name is shown", async () => {
    const chatting = await chat(bot(checked));
    await asked(chatting);
    const answers = await chatting.ask("cash payment");
    expect(answers.map((answer) => answer.attributes.title)).toStrictEqual(["Cash payment"]);
  });

  test("a single result is shown without its check question", async () => {
    const { ask } = await chat(bot(checked));
    expect((await ask("opening hours"))[0]).toMatchObject({
      type: "answer",
      attributes: { title: "Opening hours" },
    });
  });

  test("are all asked about, though there are more than a client shows at once", async () => {
    const chatting = await chat(bot(checked), { body: { answers: { maxOptions: 2 } } });
    await asked(chatting);
    await chatting.ask("no");
    expect((await chatting.ask("no"))[0].message).toBe("Do you want to pay in cash?");
    expect(flagsOf(await chatting.ask("no"))).toStrictEqual([["all-options-discarded"]]);
  });

  test("one without a check question makes them options, also when it is beyond those that are shown", async () => {
    const items = [1, 2, 3, 4].map((id) =>
      content({
        id,
        title: `Way ${id}`,
        alternatives: ["how to get there"],
        checkQuestion: id === 4 ? null : `By way ${id}?`,
      }),
    );
    const chatting = await chat(bot(items));
    const [first] = await chatting.ask("how to get there");
    expect(first.flags).toStrictEqual(["multiple-options"]);
    expect(first.options).toHaveLength(3);
    expect((await chatting.ask("no"))[0].attributes.title).toBe("Way 4");
  });

  test("one without a check question makes them options", async () => {
    const items = checked.map((item) => (item.id === 2 ? { ...item, checkQuestion: null } : item));
    const { ask } = await chat(bot(items));
    expect(flagsOf(await ask("how do I pay"))).toStrictEqual([["multiple-options"]]);
  });
});
