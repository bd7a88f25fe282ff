// Suite: long
import { describe, expect, test } from "vitest";
import { type Bed, type BedOptions, lineOf, openBed, sayYes, signIn, until } from "./bed.ts";
import { type Fate, openTrouble, type Trouble } from "./trouble.ts";
import { createFolder } from "../../fixtures/folder.ts";

/**
 * Opens a gateway whose services fail, and another one with the same backend whose services work.
 */
async function open(
  settings: BedOptions["settings"],
  fateOf: (call: string, count: number) => Fate,
): Promise<{ here: Bed; sound: Bed["clients"]; service: Trouble }> {
  const data = createFolder();
  const service = await openTrouble();
  const { url } = service;
  const there = await openBed({ data, store: "memory" });
  const here = await openBed({
    data,
    settings: { identity: { ask: [] }, ...settings },
    chat: url,
    ticketing: `${url}/ticketing`,
  });
  service.to(there.url);
  service.rule(fateOf);
  return { here, sound: there.clients, service };
}

async function escalate(here: Bed) {
  const talk = await here.talk();
  const texts = (await sayYes(talk)).map(({ message }) => message);
  return { talk, replies: texts };
}

/** A reader whose chat an agent took before the failures began. */
async function withAgent() {
  const { here, sound, service } = await open({}, () => "pass");
  const { chat } = sound;
  const sam = chat.as(await signIn(chat));
  const { talk } = await escalate(here);
  const [opened] = await all(chat.chats());
  await sam.accept(opened?.id ?? "");
  await talk.say("hello?");
  return { chat, talk, service, opened };
}

async function all<Value>(list: AsyncIterable<Value>): Promise<Value[]> {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
}

describe("a chat service", () => {
  test.each(["lose", "garbage"] as const)(
    "that makes the chat and answers nonsense (%s) has one chat, and the reader is in it",
    async (fate) => {
      const { here, sound } = await open({}, (call) => (call === "POST /v1/chats" ? fate : "pass"));
      await signIn(sound.chat);
      const { replies } = await escalate(here);
      expect(replies).toEqual([lineOf("en", "connecting")]);
      expect(await all(sound.chat.chats())).toHaveLength(1);
    },
  );

  test("that loses every second answer has one chat and no message twice", async () => {
    let calls = 0;
    const { here, sound } = await open({}, () => (calls++ % 2 === 1 ? "lose" : "pass"));
    await signIn(sound.chat);
    await escalate(here);
    expect((await all(sound.chat.chats())).length).toBeLessThanOrEqual(1);
  });

  test("that will not close a chat is asked again, and the ticket is made all the same", async () => {
    let closes = false;
    const { here, sound, service } = await open(
      { chat: { assignTimeout: 2000, poll: 100 } },
      (call) => (call.startsWith("DELETE") && !closes ? "fail" : "pass"),
    );
    await signIn(sound.chat);
    const { talk, replies } = await escalate(here);
    expect(replies).toEqual([lineOf("en", "connecting")]);
    await until(async () => {
      const texts = (await talk.say(`well? ${Math.random()}`)).map(({ message }) => message);
      return texts.some((text) => text.includes("created ticket"));
    });
    closes = true;
    await until(async () => (await all(sound.chat.chats()))[0]?.status === "closed");
    expect(service.calls.filter(({ call }) => call === "POST /v1/chats")).toHaveLength(1);
  });

  test("that loses a message: the reader is told, and the same text is sent as a new message", async () => {
    const { chat, talk, service, opened } = await withAgent();
    service.rule((call) => (/^POST .*\/messages$/u.test(call) ? "fail" : "pass"));
    const texts = (await talk.say("my order is W-1404")).map(({ message }) => message);
    expect(texts).toContain(lineOf("en", "not-delivered"));
    service.rule(() => "pass");
    expect(await talk.again()).toEqual([]);
    const words = (await all(chat.messages(opened?.id ?? ""))).map(({ message }) => message);
    expect(words.filter((text) => text === "my order is W-1404")).toHaveLength(1);
  });
});

describe("a chat that takes a message and loses the answer", () => {
  test("has it once, and the reader is not asked to send it again", async () => {
    const { chat, talk, service, opened } = await withAgent();
    for (const fate of ["lose", "garbage"] as const) {
      service.rule((call) => (/^POST .*\/messages$/u.test(call) ? fate : "pass"));
      const texts = (await talk.say(`my order is ${fate}`)).map(({ message }) => message);
      expect(texts).not.toContain(lineOf("en", "not-delivered"));
      const words = (await all(chat.messages(opened?.id ?? ""))).map(({ message }) => message);
      expect(words.filter((text) => text === `my order is ${fate}`)).toHaveLength(1);
    }
  });
});

describe("case management", () => {
  test("that makes the ticket and answers 500 has one ticket, and the reader gets its number at once", async () => {
    const { here, sound } = await open({ ladder: ["ticket"] }, (call, count) =>
      call === "POST /ticketing/v1/tickets" && count === 0 ? "lose" : "pass",
    );
    const { replies } = await escalate(here);
    expect(replies.join()).toMatch(/created ticket/u);
    expect(await all(sound.ticketing.tickets())).toHaveLength(1);
  });

  test("that does not answer after it has made the ticket has one, and the reader is told later", async () => {
    let isLost = false;
    const { here, sound, service } = await open({ ladder: ["ticket"] }, (call) => {
      if (call === "POST /ticketing/v1/tickets" && !isLost) {
        isLost = true;
        return "lose";
      }
      return isLost ? "fail" : "pass";
    });
    const { talk, replies } = await escalate(here);
    expect(replies).toEqual([lineOf("en", "ticket-pending")]);
    const [ticket] = await all(sound.ticketing.tickets());
    service.rule(() => "pass");
    await until(async () => {
      const texts = (await talk.say(`well? ${Math.random()}`)).map(({ message }) => message);
      return texts.some((text) => text.includes("created ticket"));
    });
    const tickets = await all(sound.ticketing.tickets());
    expect(tickets.map(({ id }) => id)).toEqual([ticket?.id]);
  });

  test("that refuses at last: a reader who was told of a retry is told that too", async () => {
    const { here, service } = await open({ ladder: ["ticket"] }, (call) =>
      call.endsWith("/ticketing/v1/users") ? "fail" : "pass",
    );
    const { talk, replies } = await escalate(here);
    expect(replies).toEqual([lineOf("en", "ticket-pending")]);
    service.rule((call) => (call === "POST /ticketing/v1/tickets" ? "refuse" : "pass"));
    await until(async () => {
      const texts = (await talk.say(`well? ${Math.random()}`)).map(({ message }) => message);
      return texts.includes(lineOf("en", "not-now"));
    });
  });
});
