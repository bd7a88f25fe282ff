// Suite: slow
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Bed,
  handOverBed,
  lineOf,
  offered,
  openBed,
  openedChat,
  optionsOf,
  type Talk,
  toTheOffer,
  until,
} from "./bed.ts";
import { listenAt } from "./listen.ts";

const hookSecret = "a secret of the chat's webhooks";
let bed: Bed;
beforeAll(async () => {
  bed = await handOverBed({
    settings: { identity: { ask: [] }, chat: { poll: 100, hookSecret } },
  });
});
afterAll(() => bed.close());

/** A conversation to which the demo agent has been invited, with the address of its stream. */
async function connecting() {
  const { chat, sam, talk, yes, events } = await offered(bed);
  await talk.choose(yes?.value);
  const opened = await openedChat(chat, { status: "waiting" });
  return { talk, events, chatId: opened.id, sam };
}

/** A conversation in which a person is offered, and a reader who listens already. */
async function listening() {
  const begun = await offered(bed);
  const stream = listen(begun.talk, begun.events);
  await until(async () => stream.received.some(({ event }) => event === "holder"));
  return { ...begun, stream };
}

/** Listens at this test's bed. */
function listen(talk: Talk, path: string, lastEventId?: string) {
  return listenAt(bed.url, talk, path, lastEventId);
}

describe("a reader with an event stream", () => {
  test("receives the agent's messages at once, each once, and resumes where a stream broke off", async () => {
    const { talk, events, chatId, sam } = await connecting();
    const first = listen(talk, events);
    await sam.accept(chatId);
    await sam.send(chatId, { message: "one" });
    await until(async () => first.words().includes("one"));
    expect(first.words()).toEqual([lineOf("en", "joined"), "one"]);
    expect(
      first.received.at(-1)?.event === "holder" ||
        first.received.some(({ event }) => event === "holder"),
    ).toBe(true);
    first.stop();
    await first.done;
    await sam.send(chatId, { message: "two" });
    const last = first.received.findLast(({ id }) => id !== "")?.id;
    const second = listen(talk, events, last);
    await until(async () => second.words().includes("two"));
    expect(second.words()).toEqual(["two"]);
    // The next turn need not repeat the texts that the stream carried.
    await until(async () => (await talk.say(`and? ${Math.random()}`)).length === 0);
    await sam.close(chatId);
    await until(async () => second.words().includes(lineOf("en", "closed")));
    expect(second.words()).toEqual(["two", lineOf("en", "closed")]);
    second.stop();
    await sam.logout();
  });

  test("does not get from the stream what a turn's answer has just said", async () => {
    const { chat, sam, talk, yes, stream: first } = await listening();
    const texts = (await talk.choose(yes?.value)).map(({ message }) => message);
    expect(texts).toEqual([lineOf("en", "connecting")]);
    const opened = await openedChat(chat, { status: "waiting" });
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "one" });
    await until(async () => first.words().includes("one"));
    expect(first.words()).toEqual([lineOf("en", "joined"), "one"]);
    first.stop();
    await first.done;
    await sam.close(opened.id);
    await sam.logout();
  });

  test("receives nothing twice when a turn is answered while the stream opens", async () => {
    const here = await openBed({
      settings: { identity: { ask: ["name"] }, ladder: ["ticket"] },
      store: "file",
    });
    const readers = Array.from({ length: 20 }, async () => {
      const talk = await here.talk();
      const offer = (await toTheOffer(talk)).at(-1);
      const path = String(Reflect.get(offer?.attributes ?? {}, "AFTERWORD_EVENTS"));
      const stream = listenAt(here.url, talk, path);
      await talk.choose(optionsOf(offer)[0]?.value);
      await talk.say("Ada Lovelace");
      // The offer, the question for the name, and the ticket; or the stream began after all of
      // them.
      const isBehind = () => stream.received.some(({ data }) => data["phase"] === "bot");
      await until(async () => stream.ids().includes("3") || isBehind());
      stream.stop();
      return stream.words();
    });
    expect((await Promise.all(readers)).flat()).toEqual([]);
  });

  test("resumes after the messages of a turn where a stream broke off", async () => {
    const { chat, sam, talk, yes, events, stream: first } = await listening();
    await talk.choose(yes?.value);
    await until(async () => first.ids().length > 0);
    first.stop();
    await first.done;
    const second = listen(talk, events, first.ids().at(-1));
    await until(async () => second.received.some(({ event }) => event === "holder"));
    expect(second.words()).toEqual([]);
    second.stop();
    await second.done;
    for await (const one of chat.chats({ status: "waiting" })) await chat.close(one.id);
    await sam.logout();
  });

  test("needs the session: the address alone is refused", async () => {
    const { talk, events, chatId, sam } = await connecting();
    const other = await bed.talk();
    expect((await fetch(bed.url + events)).status).toBe(404);
    expect((await fetch(bed.url + events, { headers: other.headers })).status).toBe(404);
    const guessed = events.replace(/[0-9a-f]{64}/u, "0".repeat(64));
    expect((await fetch(bed.url + guessed, { headers: talk.headers })).status).toBe(404);
    expect(events).not.toContain(talk.session);
    await bed.clients.chat.close(chatId);
    await sam.logout();
  });

  test("gets a file that the agent sends, as a download", async () => {
    const { talk, events, chatId, sam } = await connecting();
    await sam.accept(chatId);
    const bytes = new TextEncoder().encode("%PDF-1.4 order");
    await sam.upload({ name: "order.pdf", bytes, type: "application/pdf" }, { chatId });
    const answer = await until(async () =>
      (await talk.say(`where? ${Math.random()}`)).find(({ message }) =>
        message.includes("order.pdf"),
      ),
    );
    const address = /href="([^"]+)"/u.exec(answer.message)?.[1] ?? "";
    expect(address.startsWith(events.replace("/events", "/media/"))).toBe(true);
    const response = await fetch(bed.url + address);
    expect(await response.text()).toBe("%PDF-1.4 order");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-disposition")).toContain("attachment");
    expect((await fetch(`${bed.url}${address}0`)).status).toBe(404);
    await sam.close(chatId);
    await sam.logout();
  });
});

describe("events of the chat service", () => {
  const target = () => `${bed.url}/_afterword/webhooks/chat/shop`;

  test("a handshake with our secret is answered with it, and with no other", async () => {
    const right = await fetch(target(), {
      method: "POST",
      headers: { "x-hook-secret": hookSecret },
    });
    expect(right.status).toBe(200);
    expect(right.headers.get("x-hook-secret")).toBe(hookSecret);
    const wrong = await fetch(target(), { method: "POST", headers: { "x-hook-secret": "mine" } });
    expect(wrong.status).toBe(404);
    expect(wrong.headers.get("x-hook-secret")).toBe(null);
  });

  test("signed ones are accepted, also twice and late; others are not", async () => {
    const { talk, chatId, sam } = await connecting();
    await sam.accept(chatId);
    await sam.send(chatId, { message: "by hook" });
    const body = JSON.stringify({ trigger: "messages:new", appId: "demo-app", data: { chatId } });
    const signature = createHmac("sha256", hookSecret).update(body).digest("hex");
    const post = (headers: Record<string, string>) =>
      fetch(target(), { method: "POST", headers, body });
    expect((await post({ "x-hook-signature": signature })).status).toBe(200);
    expect((await post({ "x-hook-signature": signature })).status).toBe(200);
    expect((await post({ "x-hook-signature": "00" })).status).toBe(401);
    expect((await post({})).status).toBe(401);
    const answer = await until(async () => {
      const answers = await talk.say(`hm ${Math.random()}`);
      return answers.length > 0 && answers;
    });
    expect(answer.filter(({ message }) => message === "by hook")).toHaveLength(1);
    expect((await post({ "x-hook-signature": signature })).status).toBe(200);
    expect((await talk.say("again?")).map(({ message }) => message)).not.toContain("by hook");
    await sam.close(chatId);
    await sam.logout();
  });
});
