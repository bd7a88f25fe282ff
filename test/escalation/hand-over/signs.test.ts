// Suite: slow
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endWaitsOf } from "../../fixtures/end-waits.ts";
import { type Bed, handOverBed, offered, openBed, openedChat, until } from "./bed.ts";
import { type StreamedEvent, listenAt } from "./listen.ts";
import { openTrouble } from "./trouble.ts";

const hookSecret = "a secret of the chat's webhooks";
let bed: Bed;
const settings = { identity: { ask: [] }, chat: { poll: 100, hookSecret } };
beforeAll(async () => {
  bed = await handOverBed({ settings });
});
afterAll(() => bed.close());

/** A reader who listens, and who talks to the demo agent. */
async function talking(here: Bed = bed) {
  const { talk, sam, yes, chat, events } = await offered(here);
  await talk.choose(yes?.value);
  const opened = await openedChat(chat, { status: "waiting" });
  await sam.accept(opened.id);
  const stream = listenAt(here.url, talk, events);
  const last = (event: string): StreamedEvent["data"] | undefined =>
    stream.received.findLast((one) => one.event === event)?.data;
  await until(async () => last("holder")?.["name"] !== undefined);
  const send = (body: unknown, headers: Record<string, string> = talk.headers) =>
    fetch(here.url + events, { method: "POST", headers, body: JSON.stringify(body) });
  const close = async (): Promise<void> => {
    stream.stop();
    await sam.close(opened.id).catch(() => undefined);
    await sam.logout();
  };
  const { creator } = await chat.chat(opened.id);
  return { talk, sam, chat, chatId: opened.id, creator, events, stream, last, send, close };
}

describe("a reader and an agent", () => {
  test("see each other type, until a message or silence ends it", async () => {
    const { sam, chat, chatId, creator, last, send, close } = await talking();
    const agent = "demo-agent";
    expect((await send({ typing: true })).status).toBe(204);
    const writing = async (): Promise<readonly string[] | undefined> =>
      (await chat.chat(chatId)).writing;
    expect(await writing()).toEqual([creator]);
    await send({ typing: false });
    expect(await writing()).toEqual([]);
    await sam.activity(agent, "writing", chatId);
    await until(async () => last("typing")?.["typing"] === true);
    await sam.send(chatId, { message: "Here I am." });
    await until(async () => last("typing")?.["typing"] === false);
    await sam.activity(agent, "writing", chatId);
    await until(async () => last("typing")?.["typing"] === true);
    await sam.activity(agent, "not-writing", chatId);
    await until(async () => last("typing")?.["typing"] === false);
    await close();
  });

  test("see what the other has read", async () => {
    const { talk, sam, chat, chatId, creator, stream, last, send, close } = await talking();
    const first = await sam.send(chatId, { message: "one" });
    const second = await sam.send(chatId, { message: "two" });
    const readBy = async (id: string): Promise<readonly string[]> => {
      for await (const one of chat.messages(chatId)) if (one.id === id) return one.read;
      return [];
    };
    await until(async () => stream.words().includes("two"));
    const { id } = stream.received.findLast(({ data }) => data["message"] === "one") ?? { id: "" };
    expect((await send({ read: Number(id) })).status).toBe(204);
    expect(await readBy(first.id)).toEqual([creator]);
    expect(await readBy(second.id)).toEqual([]);
    // An agent who answers has read the messages before, even if the client does not report it.
    await talk.say("three");
    expect(await readBy(second.id)).toEqual([creator]);
    expect(last("read")).toBeUndefined();
    for await (const one of sam.messages(chatId)) {
      if (one.message === "three") await sam.read(one.id);
    }
    await until(async () => last("read")?.["read"] === true);
    await talk.say("four");
    await until(async () => last("read")?.["read"] === false);
    await close();
  });

  test("know each other's names: an agent's message carries a name", async () => {
    const { sam, chatId, stream, last, close } = await talking();
    expect(last("holder")).toEqual({ holder: "person", phase: "talking", name: "Sam" });
    await sam.send(chatId, { message: "Hello" });
    await until(async () => stream.words().includes("Hello"));
    const { attributes } = stream.received.findLast(({ event }) => event === "answer")?.data ?? {};
    expect(Reflect.get(Object(attributes), "AFTERWORD_AGENT")).toBe("Sam");
    await close();
  });
});

describe("typing and read events of a chat service that only has webhooks", () => {
  test("reach the reader as they are sent", async () => {
    const between = await openTrouble();
    // If the chat itself reported who is writing, the next look would end a webhook's sign.
    between.disguise({
      path: (path) => path,
      body: (body) => body.replace(/"writing":\[[^\]]*\]/u, '"unknown":0'),
    });
    const here = await openBed({ settings, chat: between.url });
    between.to(here.url);
    const { chatId, last, close } = await talking(here);
    const deliver = async (trigger: string, data: object): Promise<number> => {
      const body = JSON.stringify({ trigger, appId: "demo-app", data, created_at: 0 });
      const signature = createHmac("sha256", hookSecret).update(body).digest("hex");
      const response = await fetch(`${here.url}/_afterword/webhooks/chat/shop`, {
        method: "POST",
        headers: { "x-hook-signature": signature },
        body,
      });
      return response.status;
    };
    const data = { chatId, userId: "somebody-else", type: "writing" };
    expect(await deliver("users:activity", data)).toBe(200);
    await until(async () => last("typing")?.["typing"] === true);
    await close();
  });
});

describe("a typing or read event of a reader", () => {
  test("needs the session, says what it is, and may come from any page", async () => {
    const { talk, events, send, close } = await talking();
    const other = await bed.talk();
    expect((await send({ typing: true }, other.headers)).status).toBe(404);
    expect((await send({ typing: "yes" })).status).toBe(422);
    expect((await send({ read: -1 })).status).toBe(422);
    const { headers } = talk;
    expect((await fetch(bed.url + events, { method: "POST", headers })).status).toBe(422);
    const preflight = await fetch(bed.url + events, {
      method: "OPTIONS",
      headers: { origin: "https://shop.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, POST");
    const put = await fetch(bed.url + events, { method: "PUT", headers: talk.headers });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, POST, OPTIONS"]);
    await close();
  });

  test("is dropped while the bot has the conversation", async () => {
    const { talk, sam, events } = await offered(bed);
    const headers = talk.headers;
    const body = JSON.stringify({ typing: true });
    expect((await fetch(bed.url + events, { method: "POST", headers, body })).status).toBe(204);
    await sam.logout();
  });
});

describe("a reader who closes the page", () => {
  test("is shown as gone to the agent, and as back later", async () => {
    // The time within which a page that is loaded again has to reconnect.
    const endReconnecting = endWaitsOf(15_000);
    const { talk, chat, chatId, creator, events, stream, close } = await talking();
    const seen = async (): Promise<unknown[]> =>
      (await chat.history(chatId)).flatMap(({ trigger, data }) =>
        trigger === "users:presence" ? [data["userId"], data["type"]] : [],
      );
    stream.stop();
    await stream.done;
    // A second stream within seconds is from a page that was loaded again.
    const second = listenAt(bed.url, talk, events);
    await until(async () => second.received.some(({ event }) => event === "holder"));
    endReconnecting();
    second.stop();
    await second.done;
    await until(async () => {
      endReconnecting();
      return (await seen()).length > 0;
    });
    expect(await seen()).toEqual([creator, "away"]);
    const third = listenAt(bed.url, talk, events);
    await until(async () => (await seen()).length > 2);
    expect(await seen()).toEqual([creator, "away", creator, "back"]);
    third.stop();
    await close();
  });
});
