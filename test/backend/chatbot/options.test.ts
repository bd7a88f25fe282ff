import { describe, expect, test } from "vitest";
import type { Json } from "../client.ts";
import { bot, chat, content, flagsOf, form, option } from "./bot.ts";

// The same words ask for both contents, so that no matcher can distinguish them.
const rivals = [
  content({
    id: 1,
    title: "Delivery to your home",
    alternatives: ["delivery"],
    attributes: { SHORT: "Home" },
  }),
  content({ id: 2, title: "Delivery to a shop", alternatives: ["delivery"] }),
  content({ id: 3, title: "Opening hours" }),
];

const menu = [
  content({
    id: 10,
    title: "How can I pay?",
    answers: ["We take cards and invoices."],
    options: [
      option("Credit card", 11, { attributes: { DYNAMIC_REDIRECT: "x" }, revisitable: true }),
      option("By invoice", 12, { revisitable: true }),
      option("Voucher", 13),
      option("With cash", 14),
      option("Gone", 99),
    ],
  }),
  content({ id: 11, title: "Paying by card", directCall: "card" }),
  content({ id: 12, title: "Invoices" }),
  content({ id: 13, title: "Gift cards", hidden: true, directCall: "gift" }),
  content({ id: 14, title: "Cash on delivery" }),
  content({ id: 15, title: "Opening hours" }),
];

describe("several results", () => {
  test("one of them without a check question: all are offered, with the flag multiple-options", async () => {
    const { ask } = await chat(bot(rivals));
    expect(await ask("delivery")).toStrictEqual([
      {
        type: "multipleChoiceQuestion",
        message: "Maybe these answers will help you",
        messageList: ["Maybe these answers will help you"],
        options: [
          {
            label: "Delivery to your home",
            value: 1,
            attributes: { SHORT: "Home", title: "Delivery to your home" },
          },
          { label: "Delivery to a shop", value: 2, attributes: { title: "Delivery to a shop" } },
        ],
        actionField: null,
        flags: ["multiple-options"],
        attributes: {},
        parameters: { contents: null },
      },
    ]);
  });

  test.each([
    ["its value", { option: 2 }],
    ["its value as text", { option: "2" }],
    ["its value beside a message", { option: 2, message: "Delivery to a shop" }],
    ["its label", { message: "delivery to a SHOP!" }],
    ["its label as option", { option: "Delivery to a shop" }],
    ["a word that only its label has", { message: "shop" }],
  ])("one is chosen by %s", async (_name, body) => {
    const { ask, turn } = await chat(bot(rivals));
    await ask("delivery");
    const [answer] = await turn(body);
    expect(answer).toMatchObject({ flags: [], attributes: { title: "Delivery to a shop" } });
  });

  test("no more are offered at once than the client shows, and a no brings the others", async () => {
    const four = [1, 2, 3, 4].map((id) =>
      content({ id, title: `Way ${"abcd"[id - 1]}`, alternatives: ["how to get there"] }),
    );
    const labels = ([{ options }]: readonly Json[]): readonly string[] =>
      options.map(({ label }: Json) => label);
    const two = await chat(bot(four), { body: { answers: { maxOptions: 2 } } });
    expect(labels(await two.ask("how to get there"))).toStrictEqual(["Way a", "Way b"]);
    const others = await two.ask("no");
    expect(flagsOf(others)).toStrictEqual([["multiple-options"]]);
    expect(labels(others)).toStrictEqual(["Way c", "Way d"]);
    expect(flagsOf(await two.ask("no"))).toStrictEqual([["no-subset-match"]]);

    const three = await chat(bot(four));
    expect(labels(await three.ask("how to get there"))).toStrictEqual(["Way a", "Way b", "Way c"]);
    expect((await three.ask("no"))[0].attributes.title).toBe("Way d");
    await three.ask("how to get there");
    const named = await three.ask("way d");
    expect(flagsOf(named)).toStrictEqual([[]]);
    expect(named[0].attributes.title).toBe("Way d");
  });

  test("the one option of a client that shows one at a time is followed by the next", async () => {
    const ways = rivals.map((item) => ({ ...item, alternatives: ["how to get there"] }));
    const { ask } = await chat(bot(ways.slice(0, 2)), { body: { answers: { maxOptions: 1 } } });
    const [question] = await ask("how to get there");
    expect(question).toMatchObject({ flags: ["multiple-options"], options: [{ value: 1 }] });
    expect((await ask("no"))[0].attributes.title).toBe("Delivery to a shop");
  });

  test.each([0, "0", -1, 2.5, "many", null, [5]])(
    "with the unusable maxOptions %j, three are offered and one is found",
    async (maxOptions) => {
      const three = ["a", "b", "c"].map((letter, index) =>
        content({ id: index + 1, title: `Way ${letter}`, alternatives: ["how to get there"] }),
      );
      const { ask } = await chat(bot(three), { body: { answers: { maxOptions } } });
      expect((await ask("way b"))[0].attributes.title).toBe("Way b");
      expect((await ask("how to get there"))[0].options).toHaveLength(3);
    },
  );

  test("too many to choose from: refinement, which offers nothing", async () => {
    const seven = [1, 2, 3, 4, 5, 6, 7].map((id) =>
      content({ id, title: `Way ${"abcdefg"[id - 1]}`, alternatives: ["how to get there"] }),
    );
    const { ask, turn } = await chat(bot(seven));
    expect(await ask("how to get there")).toStrictEqual([
      expect.objectContaining({
        type: "answer",
        flags: ["refinement"],
        options: null,
        message: "Please give me some more information about what you want to know.",
      }),
    ]);
    expect(flagsOf(await turn({ option: 1 }))).toStrictEqual([["no-results"]]);
    const six = await chat(bot(seven.slice(0, 6)));
    expect(flagsOf(await six.ask("how to get there"))).toStrictEqual([["multiple-options"]]);
    const ten = await chat(bot(seven), { body: { answers: { maxOptions: "10" } } });
    expect((await ten.ask("how to get there"))[0].options).toHaveLength(7);
  });

  test("a single word that more contents have than are offered needs refinement as well", async () => {
    const four = [1, 2, 3, 4].map((id) =>
      content({ id, title: `Way ${"abcd"[id - 1]}`, alternatives: ["delivery"] }),
    );
    const { ask } = await chat(bot(four));
    expect(flagsOf(await ask("Delivery?"))).toStrictEqual([["refinement"]]);
    const three = await chat(bot(four.slice(0, 3)));
    expect(flagsOf(await three.ask("Delivery?"))).toStrictEqual([["multiple-options"]]);
  });
});

describe("chained content", () => {
  test("says its answer, then offers all of its options", async () => {
    const { ask } = await chat(bot(menu));
    const [answer, question, ...more] = await ask("How can I pay?");
    expect(more).toStrictEqual([]);
    expect(answer).toMatchObject({
      type: "answer",
      flags: [],
      options: null,
      message: "We take cards and invoices.",
    });
    expect(question).toMatchObject({ type: "multipleChoiceQuestion", flags: ["multiple-options"] });
    expect(question.options).toStrictEqual([
      {
        label: "Credit card",
        value: 11,
        attributes: { title: "Paying by card", DIRECT_CALL: "card", DYNAMIC_REDIRECT: "x" },
        revisitableLink: "card",
      },
      // Revisitable, but nothing to call it by.
      { label: "By invoice", value: 12, attributes: { title: "Invoices" } },
      { label: "Voucher", value: 13, attributes: { title: "Gift cards" } },
      { label: "With cash", value: 14, attributes: { title: "Cash on delivery" } },
    ]);
  });

  test.each([
    [{ option: 13 }, "Gift cards"],
    [{ message: "credit card" }, "Paying by card"],
    [{ message: "invoice" }, "Invoices"],
    [{ message: "cash on delivery" }, "Cash on delivery"],
    [{ message: "nothing", option: "Voucher" }, "Gift cards"],
  ])("%j chooses %s", async (body, title) => {
    const { ask, turn } = await chat(bot(menu));
    await ask("How can I pay?");
    expect((await turn(body)).map((answer) => answer.attributes.title)).toStrictEqual([title]);
  });

  test("its answers are each kept in the history", async () => {
    const { ask, turn, get } = await chat(bot(menu));
    await ask("How can I pay?");
    await turn({ option: 12 });
    const { body } = await get("/v1/conversation/history");
    expect(
      body.map(({ user, message }: { user: string; message: string }) => [user, message]),
    ).toStrictEqual([
      ["user", "How can I pay?"],
      ["bot", "We take cards and invoices."],
      ["bot", "Maybe these answers will help you"],
      ["user", "By invoice"],
      ["bot", "<p>Invoices!</p>"],
    ]);
  });

  test("an old option is read as a message; its link works at any time", async () => {
    const { ask, turn } = await chat(bot(menu));
    await ask("How can I pay?");
    await turn({ option: 12 });
    expect(flagsOf(await turn({ option: 13 }))).toStrictEqual([["no-results"]]);
    expect((await turn({ directCall: "card" }))[0].attributes.title).toBe("Paying by card");
  });

  test("options that are yes and no make a polar question of the last text", async () => {
    const offer = [
      content({
        id: 1,
        title: "Talk to somebody",
        answers: ["I could not help.", "Shall I get a person?"],
        directCall: "escalationOffer",
        options: [option("Yes", 2), option("No", 3)],
      }),
      content({ id: 2, title: "Start", hidden: true }),
      content({ id: 3, title: "Rejected", hidden: true }),
    ];
    const app = bot(offer);
    const { turn } = await chat(app);
    const [answer, question] = await turn({ directCall: "escalationOffer" });
    expect(answer).toMatchObject({
      type: "answer",
      messageList: ["I could not help."],
      attributes: { DIRECT_CALL: "escalationOffer" },
    });
    expect(question).toMatchObject({
      type: "polarQuestion",
      message: "Shall I get a person?",
      messageList: ["Shall I get a person?"],
      flags: [],
      options: [
        { label: "yes", value: 1 },
        { label: "no", value: 2 },
      ],
    });
    for (const [body, title] of [
      [{ message: "no" }, "Rejected"],
      [{ option: 2 }, "Rejected"],
      [{ option: 0 }, "Rejected"],
      [{ option: "no" }, "Rejected"],
      [{ option: 1 }, "Start"],
      [{ message: "Yes!" }, "Start"],
    ] as const) {
      const again = await chat(app);
      await again.turn({ directCall: "escalationOffer" });
      expect([body, (await again.turn(body))[0].attributes.title]).toStrictEqual([body, title]);
    }
  });

  test("a single text with yes and no is one polar question", async () => {
    const { ask } = await chat(
      bot([
        content({
          id: 1,
          title: "Help",
          answers: ["Shall I help?"],
          options: [option("yes", 2), option("no", 2)],
        }),
        content({ id: 2, title: "Thanks" }),
      ]),
    );
    const answers = await ask("help");
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({
      type: "polarQuestion",
      message: "Shall I help?",
      options: [{ value: 1 }, { value: 2 }],
      parameters: { contents: { title: "Help" } },
    });
  });

  test("with a single option it asks with its own last text, and has no flag", async () => {
    const items = [
      content({
        id: 1,
        title: "Shoe sizes",
        answers: ["39", "41"],
        options: [option("Shirts", 2)],
      }),
      content({
        id: 2,
        title: "Shirt sizes",
        options: [option("Shoes", 1, { revisitable: true })],
      }),
    ];
    const { ask, turn } = await chat(bot(items));
    expect(await ask("shoe sizes")).toMatchObject([
      { type: "answer", messageList: ["39"], options: null, flags: [] },
      {
        type: "multipleChoiceQuestion",
        message: "41",
        options: [{ label: "Shirts", value: 2, attributes: { title: "Shirt sizes" } }],
        flags: [],
      },
    ]);
    expect(await turn({ option: 2 })).toMatchObject([
      {
        type: "multipleChoiceQuestion",
        message: "<p>Shirt sizes!</p>",
        attributes: { title: "Shirt sizes" },
        options: [{ label: "Shoes", value: 1 }],
        flags: [],
        parameters: { contents: { title: "Shirt sizes" } },
      },
    ]);
    expect((await ask("shoes"))[0].attributes.title).toBe("Shoe sizes");
  });

  test("without an option that this reader may see, it is an ordinary answer", async () => {
    const { ask } = await chat(
      bot([
        content({ id: 1, title: "Menu", options: [option("Staff", 2)] }),
        content({ id: 2, title: "Staff", userTypes: [7] }),
      ]),
    );
    expect(await ask("menu")).toHaveLength(1);
  });
});

describe("a message that is none of the options", () => {
  test("is answered no-subset-match, and what it asks for follows", async () => {
    const { ask } = await chat(bot(menu));
    await ask("How can I pay?");
    const [flagged, answer, ...more] = await ask("opening hours");
    expect(more).toStrictEqual([]);
    expect(flagged).toMatchObject({
      type: "answer",
      flags: ["no-subset-match"],
      message: "It seems like you want to talk about something else",
    });
    expect(answer).toMatchObject({ flags: [], attributes: { title: "Opening hours" } });
    expect(flagsOf(await ask("zebra"))).toStrictEqual([["no-results"]]);
  });

  test("that finds nothing keeps them open for one more turn", async () => {
    const { ask, turn } = await chat(bot(menu));
    await ask("How can I pay?");
    expect(flagsOf(await ask("zebra"))).toStrictEqual([["no-subset-match"]]);
    expect((await turn({ option: 12 }))[0].attributes.title).toBe("Invoices");

    await ask("How can I pay?");
    expect(flagsOf(await ask("zebra"))).toStrictEqual([["no-subset-match"]]);
    expect(flagsOf(await ask("zebra"))).toStrictEqual([["no-subset-match"]]);
    expect(flagsOf(await turn({ option: 12 }))).toStrictEqual([["no-results"]]);
  });

  test("counts as unanswered unless something follows", async () => {
    const { ask, get } = await chat(bot(menu));
    const count = async (): Promise<unknown> =>
      (await get("/v1/conversation/variables")).body.sys_unanswered_consecutive.value;
    await ask("How can I pay?");
    await ask("zebra");
    expect(await count()).toBe("1");
    await ask("opening hours");
    expect(await count()).toBe("0");
  });

  test("that is a no chooses none of them", async () => {
    const { ask } = await chat(
      bot([
        content({
          id: 1,
          title: "Help",
          options: [option("No invoice came", 2), option("Else", 3)],
        }),
        content({ id: 2, title: "Missing invoices" }),
        content({ id: 3, title: "Something else" }),
      ]),
    );
    await ask("help");
    expect(flagsOf(await ask("no"))).toStrictEqual([["no-subset-match"]]);
  });

  test("that matches a content better than an option gets that content", async () => {
    const { ask } = await chat(
      bot([
        content({ id: 1, title: "Menu", options: [option("A", 2), option("B", 3)] }),
        content({ id: 2, title: "Delivery costs" }),
        content({ id: 3, title: "Gift cards" }),
        content({ id: 4, title: "Delivery costs to other countries" }),
      ]),
    );
    await ask("menu");
    expect((await ask("what are the delivery costs"))[0].attributes.title).toBe("Delivery costs");
    await ask("menu");
    const answers = await ask("what are the delivery costs for countries");
    expect(flagsOf(answers)).toStrictEqual([["no-subset-match"], []]);
    expect(answers[1].attributes.title).toBe("Delivery costs to other countries");
  });

  test("that is exactly a content's name gets that content before an option with the word", async () => {
    const items = [
      content({
        id: 1,
        title: "Menu",
        options: [option("Opening hours in May", 2), option("B", 2)],
      }),
      content({ id: 2, title: "Spring" }),
      content({ id: 3, title: "Opening hours" }),
    ];
    const { ask } = await chat(bot(items));
    await ask("menu");
    expect((await ask("may"))[0].attributes.title).toBe("Spring");
    await ask("menu");
    expect(flagsOf(await ask("opening hours"))).toStrictEqual([["no-subset-match"], []]);
  });

  test("that repeats the question only repeats the options", async () => {
    const { ask } = await chat(bot(rivals));
    await ask("delivery");
    expect(flagsOf(await ask("delivery"))).toStrictEqual([["multiple-options"]]);
  });

  test("that is empty or over-long keeps them open", async () => {
    const { ask, turn } = await chat(bot(menu));
    await turn({ directCall: "sys-welcome" });
    await ask("How can I pay?");
    expect(flagsOf(await ask(" "))).toStrictEqual([["no-question"]]);
    expect(flagsOf(await ask("x".repeat(257)))).toStrictEqual([["character-limit-exceeded"]]);
    expect(flagsOf(await turn({ directCall: "nowhere" }))).toStrictEqual([
      ["conversation-error-message"],
    ]);
    expect((await turn({ option: 12 }))[0].attributes.title).toBe("Invoices");
  });
});

describe("an option goes before the message beside it", () => {
  const offering = [
    content({ id: 1, title: "Sizes", options: [option("Shoes", 12_345_678_901)], related: [3, 4] }),
    content({ id: 12_345_678_901, title: "Shoe sizes" }),
    content({ id: 3, title: "Return an item" }),
    content({ id: 4, title: "Small print", hidden: true }),
  ];
  const long = "x".repeat(257);

  test("however long that is, when it was offered", async () => {
    const { ask, turn } = await chat(bot(offering));
    await ask("sizes");
    expect((await turn({ option: 12_345_678_901, message: long }))[0].attributes.title).toBe(
      "Shoe sizes",
    );
    await ask("sizes");
    expect((await turn({ option: "shoes", message: long }))[0].attributes.title).toBe("Shoe sizes");
    await ask("sizes");
    expect((await turn({ option: 4, message: long }))[0].attributes.title).toBe("Small print");
    await ask("sizes");
    expect(flagsOf(await turn({ option: 5, message: long }))).toStrictEqual([
      ["character-limit-exceeded"],
    ]);
  });

  test("to a check question and to a form's question as well", async () => {
    const checks = await chat(bot(rivals.map((item) => ({ ...item, checkQuestion: item.title }))));
    await checks.ask("delivery");
    expect((await checks.turn({ option: 1, message: long }))[0].attributes.title).toBe(
      "Delivery to your home",
    );
    const filling = await chat(bot([content({ id: 1, title: "Write", form: form() })]));
    await filling.ask("write");
    expect(flagsOf(await filling.turn({ option: 1, message: long }))).toStrictEqual([
      ["character-limit-exceeded"],
    ]);
    await filling.ask("no address");
    expect((await filling.turn({ option: 1, message: long }))[0].message).toBe("Your e-mail?");
  });

  test("and a message with the title of a related content is that one, though options are open", async () => {
    const { ask, turn } = await chat(bot(offering));
    for (const title of ["Return an item", "small print!"]) {
      await ask("sizes");
      const answers = await ask(title);
      expect([flagsOf(answers), answers[0].parameters.contents.title.length]).toStrictEqual([
        [[]],
        title.replace("!", "").length,
      ]);
    }
    await ask("sizes");
    expect(
      (await turn({ option: 12_345_678_901, message: "Return an item" }))[0].attributes.title,
    ).toBe("Shoe sizes");
  });

  test("an option's label goes before the title of a related content", async () => {
    const { ask } = await chat(
      bot([
        content({ id: 1, title: "Menu", options: [option("Prices", 2)], related: [3] }),
        content({ id: 2, title: "What it costs" }),
        content({ id: 3, title: "Prices", hidden: true }),
      ]),
    );
    await ask("menu");
    expect((await ask("prices"))[0].attributes.title).toBe("What it costs");
  });
});
