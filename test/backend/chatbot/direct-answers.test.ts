import { describe, expect, test } from "vitest";
import type { MatchingSettings } from "../../../src/matching/types.ts";
import { open, talk } from "../client.ts";

// One backend for most tests, because conversations are independent.
const shared = open();

describe("a project's own matching", () => {
  const project = { name: "shop", language: "en", activeDefaultContent: [] };
  const ask = async (matching: MatchingSettings, question: string) => {
    const { app } = await open({ projects: [{ ...project, matching }] });
    const { say } = await talk(app);
    return say(question);
  };
  const near = "opening on the moon";

  test("below the threshold a content is offered, and below the offer there is no answer", async () => {
    const strict = await ask({ threshold: 0.99, offer: 0.99 }, near);
    expect(strict.flags).toStrictEqual(["no-results"]);
    const offers = await ask({ threshold: 0.99, offer: 0.05 }, near);
    expect(offers).toMatchObject({ type: "multipleChoiceQuestion" });
    expect(offers.options[0].label).toBe("Opening hours");
    const answers = await ask({ threshold: 0.05, offer: 0.05 }, near);
    expect(answers).toMatchObject({ type: "answer", attributes: { title: "Opening hours" } });
  });

  test("without an offer of its own, a near content of a small base is offered", async () => {
    const { app } = await open({ projects: [project] });
    const { say } = await talk(app);
    const offered = await say(near);
    expect(offered).toMatchObject({ type: "multipleChoiceQuestion", flags: ["multiple-options"] });
    expect(offered.options.map(({ label }: { label: string }) => label)).toContain("Opening hours");
    const { say: askAgain } = await talk(app);
    expect((await askAgain("my elephant is purple")).flags).toStrictEqual(["no-results"]);
  });

  test("a question that is a phrase is answered whatever the threshold is", async () => {
    const answer = await ask({ threshold: 1, offer: 1 }, "opening hours");
    expect(answer).toMatchObject({ type: "answer", attributes: { title: "Opening hours" } });
  });
});

describe("project shop: the engine's flags", () => {
  test("an empty first message is the welcome, the next empty one asks for a question", async () => {
    const { app } = await shared;
    const { say } = await talk(app);
    expect(await say("")).toStrictEqual({
      type: "answer",
      message: "Hello, how can I help you?",
      messageList: ["Hello, how can I help you?"],
      options: null,
      actionField: null,
      flags: ["welcome"],
      attributes: {},
      parameters: { contents: null },
    });
    expect(await say(" \u3000\n")).toMatchObject({
      flags: ["no-question"],
      message: "Please ask me a question",
    });
  });

  test.each(["\u200b", "\u0000", "\u3164\u2060", "\u200e \ufeff"])(
    "a message without visible characters (%j) is an empty one",
    async (message) => {
      const { app } = await shared;
      const { say, send } = await talk(app);
      expect((await say(message)).flags).toStrictEqual(["welcome"]);
      expect((await say(message)).flags).toStrictEqual(["no-question"]);
      const { body } = await send({ message, option: "opening hours" });
      expect(body.answers[0].attributes.title).toBe("Opening hours");
    },
  );

  test("a body without a message is an empty message", async () => {
    const { app } = await shared;
    const { send } = await talk(app);
    expect((await send("")).body.answers[0].flags).toStrictEqual(["welcome"]);
    expect((await send("{}")).body.answers[0].flags).toStrictEqual(["no-question"]);
    expect((await send({ message: null })).body.answers[0].flags).toStrictEqual(["no-question"]);
  });

  test("sys-welcome is the welcome at any time", async () => {
    const { app } = await shared;
    const { say, send } = await talk(app);
    const flags = async (): Promise<unknown> =>
      (await send({ message: "", directCall: "sys-welcome" })).body.answers[0].flags;
    expect(await flags()).toStrictEqual(["welcome"]);
    expect((await say("")).flags).toStrictEqual(["no-question"]);
    expect(await flags()).toStrictEqual(["welcome"]);
  });

  test("a first question is not welcomed, and the first empty message after it shows the welcome", async () => {
    const { app } = await shared;
    const { say } = await talk(app);
    expect((await say("opening hours")).flags).toStrictEqual([]);
    expect(await say("")).toMatchObject({ flags: ["welcome"] });
    expect(await say(" ")).toMatchObject({
      flags: ["no-question"],
      message: "Please ask me a question",
    });
  });

  test("nothing found is no-results", async () => {
    const { app } = await shared;
    const { say } = await talk(app);
    const answer = await say("zebra crossing in Lisbon");
    expect(answer).toMatchObject({
      flags: ["no-results"],
      message: "Sorry, we could not find any answers to your question.",
    });
  });

  test.each([
    ["letters", "x"],
    ["emoji outside the basic plane", "😀"],
    ["a letter with a combining mark", "e\u0301"],
    ["Chinese", "\u4f60"],
  ])("256 code points of %s pass and 257 are too many", async (_name, unit) => {
    const { app } = await shared;
    const { say } = await talk(app);
    const points = Array.from(unit).length;
    const text = unit.repeat(256 / points);
    expect(Array.from(text)).toHaveLength(256);
    expect((await say(text)).flags).toStrictEqual(["no-results"]);
    expect((await say(`${text}x`)).flags).toStrictEqual(["character-limit-exceeded"]);
  });

  test("an unknown direct call is conversation-error-message", async () => {
    const { app } = await shared;
    const { send } = await talk(app);
    for (const directCall of ["sys-goodbye", "constructor", "__proto__", "x".repeat(10_000)]) {
      const { body } = await send({ directCall });
      expect(body.answers[0].flags).toStrictEqual(["conversation-error-message"]);
    }
  });

  test.each([
    ["fr", "Bonjour, comment puis-je vous aider ?"],
    ["fr-CA", "Bonjour, comment puis-je vous aider ?"],
    ["FR_fr", "Bonjour, comment puis-je vous aider ?"],
    ["de", "Hallo, wie kann ich Ihnen helfen?"],
    ["ja", "こんにちは、どのようなご用件でしょうか？"],
    ["ar", "مرحبًا، كيف يمكنني مساعدتك؟"],
    ["tlh", "Hello, how can I help you?"],
    ["__proto__", "Hello, how can I help you?"],
    ["", "Hello, how can I help you?"],
    [["fr"], "Hello, how can I help you?"],
    [null, "Hello, how can I help you?"],
  ])("a conversation in %j is held in the language that this means", async (lang, message) => {
    const { app } = await shared;
    const { say } = await talk(app, { body: { lang } });
    expect((await say("")).message).toBe(message);
  });

  test("a conversation without a language is held in the project's", async () => {
    const projects = [{ name: "shop", language: "fr-FR", activeDefaultContent: [] }];
    const { app } = await open({ projects });
    const { say } = await talk(app);
    expect((await say("")).message).toBe("Bonjour, comment puis-je vous aider ?");
    expect((await say("frais de livraison")).parameters.contents.title).toBe("Frais de livraison");
  });
});

describe("project modern: active default content", () => {
  test("welcome and no-results come without their flag, known by title", async () => {
    const { app } = await shared;
    const { say } = await talk(app, { key: "demo-modern" });
    for (const [message, title, text] of [
      ["", "Welcome", "Hello, how can I help you?"],
      [
        "zebra crossing in Lisbon",
        "No Results",
        "Sorry, we could not find any answers to your question.",
      ],
    ]) {
      expect(await say(message)).toStrictEqual({
        type: "answer",
        message: text,
        messageList: [text],
        options: null,
        actionField: null,
        flags: [],
        attributes: { title, inbMainTitle: title, ANSWER_TEXT: text },
        intent: { type: "AIML", score: 1 },
        parameters: { contents: null },
      });
    }
  });

  test("the other flags still come", async () => {
    const { app } = await shared;
    const { say, send } = await talk(app, { key: "demo-modern" });
    await say("");
    expect((await say("")).flags).toStrictEqual(["no-question"]);
    expect((await say("x".repeat(257))).flags).toStrictEqual(["character-limit-exceeded"]);
    expect((await send({ directCall: "nope" })).body.answers[0].flags).toStrictEqual([
      "conversation-error-message",
    ]);
  });

  test("a turn that default content answers counts as unanswered", async () => {
    const { app } = await shared;
    const { say, get } = await talk(app, { key: "demo-modern" });
    await say("zebra");
    await say("giraffe");
    const { body } = await get("/v1/conversation/variables");
    expect(body.sys_unanswered_consecutive).toStrictEqual({ value: "2" });
  });
});
