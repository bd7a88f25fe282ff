// Suite: slow
import { describe, expect, test } from "vitest";
import {
  lineOf,
  openBed,
  openedChat,
  optionsOf,
  sayYes,
  signIn,
  type Talk,
  toTheOffer,
  until,
} from "./bed.ts";

async function yes(talk: Talk): Promise<readonly string[]> {
  return (await sayYes(talk)).map(({ message }) => message);
}

/** Waits until `words` are among the reader's texts, and returns those from now on. */
async function readUntil(talk: Talk, words: (text: string) => boolean): Promise<readonly string[]> {
  const all: string[] = [];
  await until(async () => {
    all.push(...(await talk.say(`well? ${Math.random()}`)).map(({ message }) => message));
    return all.some(words);
  });
  return all;
}

const noForm = { identity: { ask: [] } };

describe("while no agent has accepted the chat", () => {
  test("it becomes a ticket when the time is over, and the chat is closed", async () => {
    const here = await openBed({
      settings: { ...noForm, chat: { assignTimeout: 2000, poll: 100 } },
    });
    const { chat } = here.clients;
    await signIn(chat);
    const talk = await here.talk();
    expect(await yes(talk)).toEqual([lineOf("en", "connecting")]);
    const texts = await readUntil(talk, (text) => text.includes("created ticket"));
    // The agent who did not accept is free all the same.
    expect(texts).toContain(lineOf("en", "unanswered"));
    expect(texts).not.toContain(lineOf("en", "no-agents"));
    for await (const one of chat.chats()) expect(one.status).toBe("closed");
  });

  test("an agent who declines is passed over, and the reader is not told that agents are busy", async () => {
    const here = await openBed({ settings: { ...noForm, chat: { poll: 100 } } });
    const { chat } = here.clients;
    const sam = chat.as(await signIn(chat));
    const talk = await here.talk();
    await yes(talk);
    for await (const one of chat.chats()) await sam.reject(one.id);
    const texts = await readUntil(talk, (text) => text.includes("created ticket"));
    expect(texts).toContain(lineOf("en", "unanswered"));
    expect(texts).not.toContain(lineOf("en", "no-agents"));
  });

  test("without a ticket, the reader is not told either that no agent is available when one declines", async () => {
    const settings = { ...noForm, ladder: ["agents"], chat: { poll: 100 } } as const;
    const here = await openBed({ settings });
    const { chat } = here.clients;
    const sam = chat.as(await signIn(chat));
    const talk = await here.talk();
    await yes(talk);
    for await (const one of chat.chats()) await sam.reject(one.id);
    const texts = await readUntil(talk, (text) => text === lineOf("en", "not-now"));
    expect(texts).not.toContain(lineOf("en", "no-agents"));
    expect(texts.join(" ")).not.toMatch(/available/u);
  });

  test("the reader's messages reach the agent who comes later", async () => {
    const here = await openBed({ settings: noForm });
    const { chat } = here.clients;
    const sam = chat.as(await signIn(chat));
    const talk = await here.talk();
    await yes(talk);
    const [passed] = await talk.say("my order is W-1404");
    expect(passed?.message).toBe(lineOf("en", "passed-on"));
    for await (const one of chat.chats()) {
      await sam.accept(one.id);
      const words = [];
      for await (const { message } of sam.messages(one.id)) words.push(message);
      expect(words).toContain("my order is W-1404");
    }
  });

  test("in a queue the reader is told the position, and when it is the next one", async () => {
    const here = await openBed({ settings: noForm });
    const { chat } = here.clients;
    await chat.changeSettings({ queue: { active: true } });
    const { agent } = await chat.login("demo-agent", "demo-agent");
    await chat.changeAgent(agent.id, { slots: 1 });
    const [first, second, third] = [await here.talk(), await here.talk(), await here.talk()];
    expect(await yes(first)).toEqual([lineOf("en", "queued-next")]);
    expect((await yes(second)).join()).toMatch(/one person ahead/u);
    expect((await yes(third)).join()).toMatch(/2 people ahead/u);
  });
});

describe("in a queue in which an agent does not take the first chat", () => {
  test("its reader is told that a later one was taken first", async () => {
    const here = await openBed({ settings: noForm });
    const { chat } = here.clients;
    await chat.changeSettings({ queue: { active: true } });
    const { agent } = await chat.login("demo-agent", "demo-agent");
    await chat.changeAgent(agent.id, { slots: 1 });
    const sam = chat.as(await signIn(chat));
    const [first, second] = [await here.talk(), await here.talk()];
    expect(await yes(first)).toEqual([lineOf("en", "queued-next")]);
    const asked = await openedChat(chat);
    await yes(second);
    await sam.reject(asked.id);
    for await (const one of chat.chats()) if (one.id !== asked.id) await sam.accept(one.id);
    const texts = (await first.say("Hello?")).map(({ message }) => message);
    expect(texts).toEqual([
      lineOf("en", "passed-on"),
      `${lineOf("en", "overtaken")} ${lineOf("en", "queued-next")}`,
    ]);
  });
});

describe("in a queue that no agent serves any more", () => {
  test("the reader gets a ticket and is told so, long before the time is over", async () => {
    const here = await openBed({ settings: { ...noForm, chat: { poll: 100 } } });
    const { chat } = here.clients;
    await chat.changeSettings({ queue: { active: true } });
    const { agent } = await chat.login("demo-agent", "demo-agent");
    await chat.changeAgent(agent.id, { slots: 1 });
    const [first, second] = [await here.talk(), await here.talk()];
    await yes(first);
    expect((await yes(second)).join()).toMatch(/one person ahead/u);
    await chat.logout(agent.id);
    for (const talk of [second, first]) {
      const texts = await readUntil(talk, (text) => text.includes("created ticket"));
      expect(texts).toContain(lineOf("en", "no-agents"));
    }
    for await (const one of chat.chats()) expect(one.status).toBe("closed");
  });
});

describe("what is known of the reader", () => {
  test("by the conversation's variables is not asked, and stands in the chat", async () => {
    const here = await openBed({
      settings: {
        identity: { ask: ["name", "email"], variables: { name: "name", email: null } },
        ladder: ["ticket"],
      },
    });
    const talk = await here.talk();
    await fetch(`${here.url}/v1/conversation/variables`, {
      method: "POST",
      headers: talk.headers,
      body: JSON.stringify({ name: "name", value: "Grace" }),
    });
    expect(await yes(talk)).toEqual([lineOf("en", "ask-email")]);
    const again = (await talk.say("no address")).map(({ message }) => message);
    expect(again).toEqual([lineOf("en", "ask-email-again")]);
    await talk.say("grace@example.com");
    const users = [];
    for await (const user of here.clients.ticketing.users()) users.push(user);
    expect(JSON.stringify(users)).toContain("grace@example.com");
    expect(JSON.stringify(users)).toContain("Grace");
  });

  test("can be withheld: a reader who cancels the questions is with the bot again, and nothing was made", async () => {
    const here = await openBed({ settings: { identity: { ask: ["name"], consent: true } } });
    const talk = await here.talk();
    const [first] = optionsOf((await toTheOffer(talk)).at(-1));
    const [asked] = await talk.choose(first?.value);
    const [cancel] = optionsOf(asked);
    const [declined] = await talk.choose(cancel?.value);
    expect(declined?.message).toBe(lineOf("en", "declined"));
    for await (const ticket of here.clients.ticketing.tickets()) expect(ticket).toBe(null);
    for await (const chat of here.clients.chat.chats()) expect(chat).toBe(null);
  });
});

describe("with AFTERWORD_DISABLE=1", () => {
  test("no hand-over begins, and a conversation with a person goes on", async () => {
    const env = { AFTERWORD_DISABLE: "1" };
    const here = await openBed({ settings: noForm, env });
    const talk = await here.talk();
    await talk.say("qwxz zzyx");
    const answers = await talk.say("vvkq jjxq plugh");
    expect(answers.map(({ type }) => type)).toEqual(["answer"]);
  });
});
