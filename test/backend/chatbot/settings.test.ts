import { describe, expect, test } from "vitest";
import { bot, chat, content, flagsOf } from "./bot.ts";

const items = [
  content({
    id: 1,
    title: "Order status",
    answers: ["First this.", "Then that."],
    sideBubble: "A hint",
    attributes: { SPOKEN: "Say this", BLANK: " ", HINT: "Another hint" },
  }),
  content({ id: 2, title: "Angry", attributes: { ESCALATE: "TRUE", RATINGS: "FALSE" } }),
  content({
    id: 3,
    title: "Ticket",
    actions: [
      { callback: "createTicket", data: { EMAIL_ADDRESS: "{{email}}", INQUIRY: "{{ nothing }}!" } },
      { callback: "customTrigger", data: {} },
    ],
    attributes: { DYNAMIC_REDIRECT: "escalationStart", DIRECT_CALL: "escalationOffer" },
    directCall: "ticket",
  }),
];

describe("the text of a content", () => {
  test.each([
    [undefined, ["First this.", "Then that."]],
    [
      ["ANSWER_TEXT", "SIDEBUBBLE_TEXT"],
      ["First this.", "Then that.", "A hint"],
    ],
    [
      ["SPOKEN", "ANSWER_TEXT"],
      ["Say this", "First this.", "Then that."],
    ],
    [
      ["BLANK", "toString", "__proto__"],
      ["First this.", "Then that."],
    ],
    ["SPOKEN", ["Say this"]],
  ])("with answerAttributes %j", async (answerAttributes, list) => {
    const { ask } = await chat(bot(items), { body: { answers: { answerAttributes } } });
    const [answer] = await ask("order status");
    expect(answer.messageList).toStrictEqual(list);
    expect(answer.message).toBe(list.join("\n"));
    expect(answer.attributes.ANSWER_TEXT).toBe("First this.\nThen that.");
  });

  test.each([
    [undefined, "A hint"],
    [["HINT"], "Another hint"],
    [["SIDEBUBBLE_TEXT", "HINT"], "A hint\nAnother hint"],
    [["BLANK"], ""],
  ])("beside it with sideBubbleAttributes %j", async (sideBubbleAttributes, text) => {
    const { ask } = await chat(bot(items), { body: { answers: { sideBubbleAttributes } } });
    expect((await ask("order status"))[0].attributes.SIDEBUBBLE_TEXT).toBe(text);
  });
});

describe("escalation in the engine's answers", () => {
  test("ESCALATE and RATINGS become their flags", async () => {
    const { ask } = await chat(bot(items));
    expect(flagsOf(await ask("angry"))).toStrictEqual([["escalate", "no-rating"]]);
    expect(flagsOf(await ask("order status"))).toStrictEqual([[]]);
  });

  test("actions carry the conversation's variables, and a placeholder never shows", async () => {
    const { ask, post } = await chat(bot(items));
    await post("/v1/conversation/variables", { name: "Email", value: "{{nothing}} a@b.example" });
    const [answer] = await ask("ticket");
    expect(answer).toMatchObject({
      type: "answer",
      attributes: { DYNAMIC_REDIRECT: "escalationStart", DIRECT_CALL: "escalationOffer" },
    });
    expect(answer.actions).toStrictEqual([
      {
        parameters: {
          callback: "createTicket",
          data: { EMAIL_ADDRESS: "{{nothing}} a@b.example", INQUIRY: "!" },
        },
      },
      { parameters: { callback: "customTrigger" } },
    ]);
  });
});

test("a related content is reached by its id and by its title, a hidden one too", async () => {
  const app = bot([
    content({ id: 1, title: "Order status", related: [2] }),
    content({ id: 2, title: "The small print", hidden: true }),
  ]);
  for (const body of [
    { option: 2 },
    { message: "The small print", option: "2" },
    { message: "the small print!" },
  ]) {
    const { ask, turn } = await chat(app);
    await ask("order status");
    expect([body, (await turn(body))[0].attributes.title]).toStrictEqual([body, "The small print"]);
    expect(flagsOf(await ask("the small print"))).toStrictEqual([["no-results"]]);
  }
});
