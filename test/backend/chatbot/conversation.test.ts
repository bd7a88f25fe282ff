// Suite: slow
import { describe, expect, test } from "vitest";
import { ask, clock, login, open, resume, talk } from "../client.ts";

// One backend for most tests, because conversations are independent.
const shared = open();

describe("answers from contents", () => {
  test("carry the whole shape, related contents and their title", async () => {
    const { app } = await shared;
    const { say } = await talk(app);
    const answer = await say("Where is my order?");
    expect(answer).toStrictEqual({
      type: "answer",
      message: expect.stringContaining("tracking link"),
      messageList: [answer.message],
      options: null,
      actionField: null,
      flags: [],
      attributes: {
        title: "Where is my order?",
        inbMainTitle: "Where is my order?",
        ANSWER_TEXT: answer.message,
        SIDEBUBBLE_TEXT: expect.stringContaining("order number"),
        DIRECT_CALL: "order-status",
      },
      intent: { type: "CONTENT", score: 1 },
      parameters: {
        contents: {
          title: "Where is my order?",
          trackingCode: { clickCode: expect.any(String), rateCode: expect.any(String) },
          related: {
            relatedTitle: "You might also be interested in:",
            relatedContents: [
              { id: 2, title: "Delivery times" },
              { id: 3, title: "Delivery costs" },
              { id: 4, title: "How do I return an item?" },
            ],
          },
        },
      },
    });
  });

  test("have no related part when a content has no related contents", async () => {
    const { app } = await shared;
    const { say } = await talk(app);
    expect((await say("use a voucher")).parameters.contents).not.toHaveProperty("related");
  });

  test.each([
    [{ answers: { maxRelatedContents: 1 } }, 1],
    [{ answers: { maxRelatedContents: "2" } }, 2],
    ["answers[maxRelatedContents]=4", 4],
    [{ answers: { maxRelatedContents: 100 } }, 4],
    [{ answers: { maxRelatedContents: -1 } }, 3],
    [{ answers: null }, 3],
  ])("respect %j", async (body, count) => {
    const { app } = await shared;
    const { say } = await talk(app, { body });
    const { related } = (await say("order status")).parameters.contents;
    expect(related.relatedContents).toHaveLength(count);
  });

  test("have no related part when none is wanted", async () => {
    const { app } = await shared;
    const { say } = await talk(app, { body: { answers: { maxRelatedContents: 0 } } });
    expect((await say("order status")).parameters.contents).not.toHaveProperty("related");
  });

  test("have the requested attributes, and are never empty", async () => {
    const { app } = await shared;
    const both = await talk(app, {
      body: { answers: { answerAttributes: ["ANSWER_TEXT", "SIDEBUBBLE_TEXT"] } },
    });
    const { attributes, message, messageList } = await both.say("order status");
    expect(messageList).toStrictEqual([attributes.ANSWER_TEXT, attributes.SIDEBUBBLE_TEXT]);
    expect(message).toBe(`${attributes.ANSWER_TEXT}\n${attributes.SIDEBUBBLE_TEXT}`);

    const none = await talk(app, {
      body: { answers: { answerAttributes: ["toString", "SIDEBUBBLE_TEXT"] } },
    });
    expect((await none.say("use a voucher")).message).toContain("Enter the code");
  });

  test("come from the conversation's language, and from the project's where it has no contents", async () => {
    const { app } = await shared;
    const french = await talk(app, { body: "lang=fr" });
    expect((await french.say("Où est ma commande ?")).parameters.contents).toMatchObject({
      title: "Où est ma commande\u202f?",
      related: { relatedTitle: "Cela pourrait aussi vous intéresser :" },
    });
    const german = await talk(app, { body: { lang: "de" } });
    expect((await german.say("Where is my order?")).parameters.contents).toMatchObject({
      title: "Where is my order?",
      related: { relatedTitle: "Das könnte Sie auch interessieren:" },
    });
  });
});

describe("POST /conversation/message", () => {
  test("prefers directCall to option, and option to message", async () => {
    const { app } = await shared;
    const { send } = await talk(app);
    const title = async (body: unknown): Promise<unknown> =>
      (await send(body)).body.answers[0].parameters.contents?.title;
    expect(await title({ message: "opening hours", directCall: "order-status" })).toBe(
      "Where is my order?",
    );
    expect(await title({ message: "opening hours", option: 2 })).toBe("Delivery times");
    expect(await title({ message: "opening hours", option: 3, directCall: "returns" })).toBe(
      "How do I return an item?",
    );
    expect(await title({ message: "opening hours", option: null, directCall: "" })).toBe(
      "Opening hours",
    );
  });

  test.each([[3], ["3"]])("takes the option %j right after it was offered", async (option) => {
    const { app } = await shared;
    const { say, send } = await talk(app);
    await say("order status");
    expect((await send({ message: "", option })).body.answers[0].parameters.contents.title).toBe(
      "Delivery costs",
    );
  });

  test("reads an option that was not offered as a message", async () => {
    const { app } = await shared;
    const { say, send } = await talk(app);
    await say("order status");
    expect((await send({ option: 9 })).body.answers[0].flags).toStrictEqual(["no-results"]);
    expect((await send({ option: 3 })).body.answers[0].flags).toStrictEqual(["no-results"]);
    expect((await send({ option: "no" })).body.answers[0].flags).toStrictEqual(["no-results"]);
    expect(
      (await send({ option: 2, message: "Delivery costs" })).body.answers[0].parameters.contents
        .title,
    ).toBe("Delivery costs");
  });

  test("takes a related content only right after it was offered", async () => {
    const { app } = await shared;
    const { say, send } = await talk(app);
    await say("order status");
    await say("zebra");
    expect((await send({ option: 3 })).body.answers[0].flags).toStrictEqual(["no-results"]);
  });

  test.each([
    ["JSON with escapes", "application/json", '{"message":"opening h\\u006furs"}'],
    ["JSON as text", "text/plain;charset=UTF-8", '{"message":"opening hours"}'],
    ["a form", "application/x-www-form-urlencoded", "message=opening+hours"],
    [
      "a form with percent-encoding",
      "application/x-www-form-urlencoded",
      "message=opening%20hours&option=",
    ],
  ])("reads %s", async (_name, type, body) => {
    const { app } = await shared;
    const { headers } = await talk(app);
    const answer = await ask(
      app,
      "POST",
      "/v1/conversation/message",
      { ...headers, "content-type": type },
      body,
    );
    expect(answer.body.answers[0].parameters.contents.title).toBe("Opening hours");
  });

  test("never answers 400 to a body it can't read", async () => {
    const { app } = await shared;
    const { send } = await talk(app);
    for (const body of ["{", "[1]", "hello there", '"x"', '{"message":"a"} b']) {
      expect((await send(body)).status).toBe(422);
    }
  });

  test("answers whatever a client puts into its fields", async () => {
    const { app } = await shared;
    const { send } = await talk(app);
    const odd = [
      7,
      true,
      [],
      {},
      [["x"]],
      "\u0000",
      "\ud800",
      "‮abc",
      "'; DROP TABLE sessions; --",
      "<script>",
      "{{query}}",
    ];
    for (const value of odd) {
      for (const field of ["message", "option", "directCall"]) {
        const { status, body } = await send(JSON.stringify({ [field]: value }));
        expect(status).toBe(200);
        expect(body.answers[0].message).toMatch(/\S/);
      }
    }
  });

  test("loses no turn of messages that are sent at once", async () => {
    const { app } = await shared;
    const { say, get } = await talk(app);
    await Promise.all(Array.from({ length: 20 }, () => say("zebra")));
    expect((await get("/v1/conversation/variables")).body.sys_unanswered_consecutive.value).toBe(
      "20",
    );
    expect((await get("/v1/conversation/history")).body).toHaveLength(40);
  });
});

describe("sessions", () => {
  const expired = { status: 400, body: { errors: [{ code: 400, message: "Session expired" }] } };

  test("begin with a token and an id that cannot be guessed", async () => {
    const { app } = await shared;
    const headers = await login(app);
    const first = (await ask(app, "POST", "/v1/conversation", headers)).body;
    const second = (await ask(app, "POST", "/v1/conversation", headers, "[]")).body;
    expect(Object.keys(first).toSorted()).toStrictEqual(["sessionId", "sessionToken"]);
    expect(first.sessionToken).toMatch(/^[\w-]{43}$/);
    expect(
      new Set([first.sessionToken, second.sessionToken, first.sessionId, second.sessionId]),
    ).toHaveProperty("size", 4);
  });

  test("end after thirty minutes without interaction, and are extended by each", async () => {
    const time = clock();
    const { app } = await open({ now: time.now });
    const first = await talk(app);
    const fresh = async (): Promise<ReturnType<typeof resume>> =>
      resume(app, { ...first.headers, ...(await login(app)) });
    time.advance(1799);
    expect((await (await fresh()).send({ message: "zebra" })).status).toBe(200);
    time.advance(1799);
    expect((await (await fresh()).get("/v1/conversation/history")).status).toBe(200);
    time.advance(1);
    const late = await fresh();
    expect(await late.send({ message: "zebra" })).toStrictEqual(expired);
    expect(await late.get("/v1/conversation/history")).toStrictEqual(expired);
    expect(await late.get("/v1/conversation/variables")).toStrictEqual(expired);
    expect(await late.post("/v1/conversation/variables", { name: "a", value: "b" })).toStrictEqual(
      expired,
    );
    expect(await late.post("/v1/tracking/events", { type: "click" })).toStrictEqual(expired);
  });

  test("are named with or without Bearer, and survive a new access token", async () => {
    const { app } = await shared;
    const { headers } = await talk(app);
    const raw = (headers["x-inbenta-session"] ?? "").replace("Bearer ", "");
    const renewed = resume(app, { ...headers, ...(await login(app)), "x-inbenta-session": raw });
    expect((await renewed.send({ message: "" })).status).toBe(200);
  });

  test.each([
    ["an unknown session", { "x-inbenta-session": "Bearer unknown" }],
    ["an empty session", { "x-inbenta-session": "Bearer " }],
    ["no session", {}],
  ])("%s is answered as expired", async (_name, session) => {
    const { app } = await shared;
    const { send } = resume(app, { ...(await login(app)), ...session });
    expect(await send({ message: "hello" })).toStrictEqual(expired);
  });

  test("of one project are unknown to another's key", async () => {
    const { app } = await shared;
    const { headers } = await talk(app);
    const other = resume(app, { ...headers, ...(await login(app, "demo-modern")) });
    expect(await other.send({ message: "hello" })).toStrictEqual(expired);
  });

  test("are not begun without a valid token", async () => {
    const { app } = await shared;
    const headers = { "x-inbenta-key": "demo-key", authorization: "Bearer x" };
    expect((await ask(app, "POST", "/v1/conversation", headers)).status).toBe(401);
  });
});

describe("history", () => {
  test("is a bare array of what was said, in the engine's words", async () => {
    const time = clock();
    const { app } = await open({ now: time.now });
    const { say, send, get } = await talk(app);
    expect((await get("/v1/conversation/history")).body).toStrictEqual([]);
    await say("");
    await say("zebra");
    await send({ directCall: "contact" });
    await send({ option: 13 });
    const { body } = await get("/v1/conversation/history");
    expect(
      body.map(({ user, message }: { user: string; message: string }) => [user, message]),
    ).toStrictEqual([
      ["bot", "Hello, how can I help you?"],
      ["user", "zebra"],
      ["bot", "Sorry, we could not find any answers to your question."],
      ["bot", expect.stringContaining("help@shop.example")],
      ["user", "Opening hours"],
      ["bot", expect.stringContaining("9:00 to 18:00")],
    ]);
    expect(body[1]).toStrictEqual({
      user: "user",
      message: "zebra",
      messageList: ["zebra"],
      datetime: "2026-01-01T00:00:00.000Z",
    });
  });

  test("keeps at most 1,000 characters of a message", async () => {
    const { app } = await shared;
    const { say, get } = await talk(app);
    expect((await say("x".repeat(5_000_000))).flags).toStrictEqual(["character-limit-exceeded"]);
    expect((await get("/v1/conversation/history")).body[0].message).toHaveLength(1000);
  });
});

describe("variables", () => {
  test("are set one by one and many at once, and listed by lower-case name", async () => {
    const { app } = await shared;
    const { get, post } = await talk(app);
    const set = async (path: string, body: unknown): Promise<unknown> =>
      (await post(`/v1/conversation/variables${path}`, body)).body;
    const done = { success: true };
    expect(await set("", { name: "Agents_Available", value: true })).toStrictEqual(done);
    expect(await set("", "name=__proto__&value=1")).toStrictEqual(done);
    expect(await set("/multiple", { variables: { one: 1, Two: { value: "2" } } })).toStrictEqual(
      done,
    );
    expect(await set("/multiple", { variables: [{ name: "three", value: null }] })).toStrictEqual(
      done,
    );
    expect(await set("/multiple", "variables[0][name]=four&variables[0][value]=4")).toStrictEqual(
      done,
    );
    const { body } = await get("/v1/conversation/variables");
    expect(body).toMatchObject({
      agents_available: { value: "true" },
      one: { value: "1" },
      two: { value: "2" },
      three: { value: "" },
      four: { value: "4" },
      sys_unanswered_consecutive: { value: "0" },
    });
    expect(Object.getOwnPropertyDescriptor(body, "__proto__")?.value).toStrictEqual({ value: "1" });
  });

  test("of the engine can be read but not set", async () => {
    const { app } = await shared;
    const { say, get, post } = await talk(app);
    await say("zebra");
    const { body } = await post("/v1/conversation/variables", {
      name: "SYS_unanswered_consecutive",
      value: "9",
    });
    expect(body).toStrictEqual({
      success: false,
      message: "The variable sys_unanswered_consecutive belongs to the engine.",
    });
    expect((await get("/v1/conversation/variables")).body).toMatchObject({
      sys_unanswered_consecutive: { value: "1" },
      sys_unknown_words_percentage: { value: "100" },
      sys_max_result_score: { value: "0.000" },
    });
    await say("opening hours");
    expect((await get("/v1/conversation/variables")).body).toMatchObject({
      sys_unanswered_consecutive: { value: "0" },
      sys_max_result_score: { value: "1.000" },
    });
  });

  test("are bounded in number and size", async () => {
    const { app } = await shared;
    const { post, get } = await talk(app);
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`v${index}`, "x"]));
    const refused = async (path: string, body: unknown): Promise<unknown> =>
      (await post(`/v1/conversation/variables${path}`, body)).body;
    expect(await refused("/multiple", { variables: many })).toStrictEqual({
      success: false,
      message: "A conversation may have 200 variables, and these would make more.",
    });
    expect(await refused("", { name: "a", value: "x".repeat(10_001) })).toStrictEqual({
      success: false,
      message: "A value may have 10000 characters, and that of a has 10001.",
    });
    expect(await refused("", { name: "a".repeat(101), value: "x" })).toStrictEqual({
      success: false,
      message: "The name of a variable may have 100 characters, and one has 101.",
    });
    expect(await refused("", { name: "a".repeat(100), value: "x".repeat(10_000) })).toStrictEqual({
      success: true,
    });
    expect((await get("/v1/conversation/variables")).body).not.toHaveProperty("v0");
  });

  test.each([
    {},
    { name: "" },
    { name: "a" },
    { name: "a", value: {} },
    { name: ["a"], value: "b" },
  ])("%j is refused", async (body) => {
    const { app } = await shared;
    const { post } = await talk(app);
    expect((await post("/v1/conversation/variables", body)).status).toBe(422);
  });
});

describe("tracking and app data", () => {
  test("events of a front end's own kinds are accepted", async () => {
    const { app } = await shared;
    const { post } = await talk(app);
    for (const event of [
      { type: "CHAT_NO_AGENTS", data: { value: true } },
      { type: "CONTACT_REJECTED", data: { value: "TRUE" } },
      { type: "something of ours" },
    ]) {
      expect(await post("/v1/tracking/events", event)).toStrictEqual({
        status: 200,
        body: { success: true },
      });
    }
  });

  test("ratings and clicks are accepted with a code that this conversation was given", async () => {
    const { app } = await shared;
    const { say, post } = await talk(app);
    const { clickCode, rateCode } = (await say("order status")).parameters.contents.trackingCode;
    const taken = async (type: string, data: unknown): Promise<unknown> =>
      (await post("/v1/tracking/events", { type, data })).body.success;
    expect(await taken("rate", { code: rateCode, value: 1, comment: null })).toBe(true);
    expect(await taken("rate", { code: rateCode, value: "2", comment: "No!" })).toBe(true);
    expect(await taken("click", { code: clickCode })).toBe(true);
    expect(await taken("rate", { code: clickCode, value: 1 })).toBe(false);
    expect(await taken("rate", { code: `${rateCode}0`, value: 1 })).toBe(false);
    expect(await taken("click", {})).toBe(false);
    const stranger = await talk(app);
    const event = { type: "rate", data: { code: rateCode, value: 1 } };
    expect((await stranger.post("/v1/tracking/events", event)).body.success).toBe(false);
  });

  test("ratings are accepted for the latest hundred contents, in any letter case of the type", async () => {
    const { app } = await shared;
    const { send, post } = await talk(app);
    const codes: string[] = [];
    for (let turn = 0; turn < 101; turn++) {
      const { body } = await send({ directCall: "contact" });
      codes.push(body.answers[0].parameters.contents.trackingCode.rateCode);
    }
    const taken = async (code?: string): Promise<unknown> =>
      (await post("/v1/tracking/events", { type: "RATE", data: { code, value: 1 } })).body.success;
    expect([await taken(codes[0]), await taken(codes[1]), await taken(codes[100])]).toStrictEqual([
      false,
      true,
      true,
    ]);
  });

  test("an event without a type, or with far too much data, is refused", async () => {
    const { app } = await shared;
    const { post } = await talk(app);
    const deep = `{"type":"x","data":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    for (const body of [
      {},
      { data: {} },
      { type: "a\nb" },
      { type: "\u0000" },
      { type: "x", data: "x".repeat(20_000) },
      deep,
    ]) {
      expect((await post("/v1/tracking/events", body)).status).toBe(422);
    }
  });

  test("app data needs no session, and an unknown id is empty", async () => {
    const { app } = await shared;
    const headers = await login(app);
    const get = async (path: string): Promise<unknown> =>
      (await ask(app, "GET", path, headers)).body;
    expect(await get("/v1/app/data/shop?name=")).toMatchObject({
      results: [{ name: "opening-hours", value: expect.any(String) }, { name: "phone" }],
    });
    expect(await get("/v1/app/data/shop?name=phone")).toMatchObject({
      results: [{ name: "phone" }],
    });
    expect(await get("/v1/app/data/constructor")).toStrictEqual({ results: [] });
  });
});
