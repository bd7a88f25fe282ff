// Suite: slow
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bed, handOverBed, lineOf, openedChat, sayYes, signIn } from "./bed.ts";

let bed: Bed;
let sam: ReturnType<Bed["clients"]["chat"]["as"]>;
beforeAll(async () => {
  bed = await handOverBed({ settings: { identity: { ask: [] } } });
  const { chat } = bed.clients;
  const { agent, token } = await chat.login("demo-agent", "demo-agent");
  await chat.changeAgent(agent.id, { slots: 50 });
  sam = chat.as(token ?? (await signIn(chat)));
});
afterAll(() => bed.close());

/** A conversation that a person holds. */
async function held() {
  const talk = await bed.talk();
  await sayYes(talk);
  let chat = "";
  for await (const one of bed.clients.chat.chats({ status: "waiting" })) chat = one.id;
  await sam.accept(chat);
  await talk.say("hello?");
  const send = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const { "content-type": _, ...own } = talk.headers;
    const response = await fetch(`${bed.url}/v1/conversation/message`, {
      method: "POST",
      headers: { ...own, ...headers },
      body,
    });
    const { answers } = (await response.json()) as { answers: { message: string }[] };
    return answers.map(({ message }) => message);
  };
  const words = async () => {
    const texts = [];
    for await (const { message } of bed.clients.chat.messages(chat)) texts.push(message);
    return texts;
  };
  return { talk, send, words, chat };
}

describe("while a person holds the conversation, the agent gets", () => {
  test("a form", async () => {
    const { send, words } = await held();
    expect(await send(new URLSearchParams({ message: "by form" }))).toEqual([]);
    expect(await words()).toContain("by form");
  });

  test("a form of parts", async () => {
    const { send, words } = await held();
    const form = new FormData();
    form.set("message", "in parts, ä");
    expect(await send(form)).toEqual([]);
    expect(await words()).toContain("in parts, ä");
  });

  test("a compressed body", async () => {
    const { send, words } = await held();
    const body = gzipSync(JSON.stringify({ message: "made small" }));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect(await send(new Uint8Array(body), headers)).toEqual([]);
    expect(await words()).toContain("made small");
  });

  test("what is too long for one message, as several, with every character whole", async () => {
    const { send, words } = await held();
    const long = `${"😀 a long story, ".repeat(700)}${"😀".repeat(5_050)}`;
    expect(await send(JSON.stringify({ message: long }))).toEqual([]);
    const parts = (await words()).filter((one) => typeof one === "string").slice(-3);
    expect(parts.join("")).toBe(long);
    expect(parts.every((one) => one.isWellFormed())).toBe(true);
  });

  test.each([
    ["what is far too long", JSON.stringify({ message: "x".repeat(200_000) }), {}],
    ["what is coded in an unknown way", "abc", { "content-encoding": "zstd" }],
    ["what is no form of ours", "<message>hello</message>", { "content-type": "text/xml" }],
  ] as [string, string, Record<string, string>][])(
    "or the reader is told that it did not get through, and the engine gets nothing: %s",
    async (_, body, headers) => {
      const { send, talk } = await held();
      const before = await historyOf(talk.headers);
      expect(await send(body, headers)).toEqual([lineOf("en", "not-delivered")]);
      expect(await historyOf(talk.headers)).toBe(before);
    },
  );

  test("fifty messages at once, each once", async () => {
    const { send, words } = await held();
    const sent = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    await Promise.all(sent.map((message) => send(JSON.stringify({ message }))));
    const messages = (await words()).filter(
      (text) => typeof text === "string" && text.startsWith("message "),
    );
    expect(messages.toSorted()).toEqual(sent.toSorted());
  });
});

describe("a reader who sends made-up data", () => {
  test("leaves no record with made-up options and sessions", async () => {
    const forged = { ...(await bed.talk()).headers, "x-inbenta-session": "Bearer made-up" };
    for (const option of ["aw:yes:1", "aw:x"]) {
      const response = await fetch(`${bed.url}/v1/conversation/message`, {
        method: "POST",
        headers: forged,
        body: JSON.stringify({ message: "", option }),
      });
      expect(await response.text()).toBe('{"answers":[]}');
    }
    const { escalations } = bed.running.gateway.core;
    expect(JSON.stringify(await escalations?.listOpen(100))).not.toContain("made-up");
  });
});

async function historyOf(headers: Record<string, string>): Promise<string> {
  return (await fetch(`${bed.url}/v1/conversation/history`, { headers })).text();
}

describe("while a person holds the conversation, a message", () => {
  test("without a token, or with an unknown one, is not passed on and reveals nothing", async () => {
    const { talk, words, chat } = await held();
    await sam.send(chat, { message: "Your code is 4711" });
    const { authorization: _, ...without } = talk.headers;
    const unknown = { ...talk.headers, authorization: "Bearer unknown" };
    for (const headers of [without, unknown]) {
      for (const body of [{ message: "I am somebody else" }, { message: "", option: "aw:yes:1" }]) {
        const answer = await fetch(`${bed.url}/v1/conversation/message`, {
          method: "POST",
          headers,
          body: JSON.stringify(body),
        });
        expect(answer.status).toBe(401);
        expect(await answer.text()).not.toContain("4711");
      }
    }
    expect(await words()).not.toContain("I am somebody else");
    expect((await talk.say("It is me")).map(({ message }) => message)).toContain(
      "Your code is 4711",
    );
    expect(await words()).toContain("It is me");
  });

  test("with a new token continues where an earlier token began, also after a restart", async () => {
    const own = await handOverBed({ settings: { identity: { ask: [] } }, store: "file" });
    try {
      const agent = own.clients.chat.as(await signIn(own.clients.chat));
      const talk = await own.talk();
      await sayYes(talk);
      const opened = await openedChat(own.clients.chat);
      await agent.accept(opened.id);
      // A normal client has a new token every 20 minutes.
      const { headers } = await own.talk();
      const say = (authorization: string, message: string): Promise<Response> =>
        fetch(`${own.url}/v1/conversation/message`, {
          method: "POST",
          headers: { ...talk.headers, authorization },
          body: JSON.stringify({ message }),
        });
      const authorization = headers["authorization"] ?? "";
      expect((await say(authorization, "With a new token")).status).toBe(200);
      await own.restart();
      expect((await say(authorization, "After a restart")).status).toBe(200);
      expect((await say("Bearer unknown", "Not me")).status).toBe(401);
      const texts: unknown[] = [];
      for await (const { message } of own.clients.chat.messages(opened.id)) texts.push(message);
      expect(texts).toEqual(expect.arrayContaining(["With a new token", "After a restart"]));
      expect(texts).not.toContain("Not me");
    } finally {
      await own.close();
    }
  });

  test("with an unknown token is not passed on either when the login is asked too often to look at it", async () => {
    const { talk, words } = await held();
    const key = talk.headers["x-inbenta-key"] ?? "";
    const unknown = { "x-inbenta-key": key, authorization: "Bearer never-seen" };
    const ask = async (): Promise<number> =>
      (await fetch(`${bed.url}/v1/apis`, { headers: unknown })).status;
    // Every page contains the key, so any client can use up its rate.
    let statuses: readonly number[] = [];
    for (let asked = 0; asked < 3000 && !statuses.includes(429); asked += 20) {
      statuses = await Promise.all(Array.from({ length: 20 }, ask));
    }
    expect(statuses).toContain(429);
    const answer = await fetch(`${bed.url}/v1/conversation/message`, {
      method: "POST",
      headers: { ...talk.headers, ...unknown },
      body: JSON.stringify({ message: "I am somebody else" }),
    });
    // 401 if a new minute has begun meanwhile.
    expect([401, 429]).toContain(answer.status);
    expect(await words()).not.toContain("I am somebody else");
    await talk.say("It is still me");
    expect(await words()).toContain("It is still me");
  });
});
