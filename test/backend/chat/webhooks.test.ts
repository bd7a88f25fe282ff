// Suite: slow
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Json } from "../client.ts";
import { echo, service } from "./service.ts";
import type { Service } from "./service.ts";

const target = "https://hook.test/in";

async function delivered({ deliver, hooks }: Service): Promise<Json[]> {
  hooks.calls.length = 0;
  await deliver();
  return hooks.calls.map(({ body }) => JSON.parse(body ?? ""));
}

describe("addresses that are registered for events", () => {
  test("are registered after a handshake, and their secret is shown once", async () => {
    const { ask, hooks } = await service(null);
    const made = await ask("POST", "webhooks", { events: "messages:new, chats:close", target });
    expect(made.body).toMatchObject({
      webhook: { events: "messages:new,chats:close", target },
      secret: expect.any(String),
    });
    expect(hooks.calls).toMatchObject([
      { method: "POST", url: target, headers: { "x-hook-secret": made.body.secret } },
    ]);
    const seen = JSON.stringify((await ask("GET", "webhooks")).body);
    expect(seen).not.toContain(made.body.secret);
  });

  test.each([
    ["another status", { ok: true, status: 404, text: "" }, "it answered 404"],
    ["no header", { ok: true, status: 200, text: "" }, "repeat the header"],
    ["nothing", { ok: false, reason: "refused" }, "target: cannot be called: refused"],
  ] as const)("are refused when they answer with %s", async (_name, answer, message) => {
    const { ask, hooks } = await service(null);
    hooks.answer = () => answer;
    const refused = await ask("POST", "webhooks", { events: "chats:close", target });
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      expect.stringContaining(message),
    ]);
  });

  test.each([
    [{ events: "weather", target }],
    [{ events: "", target }],
    [{ events: "chats:close", target: "ftp://x" }],
    [{ events: "chats:close", target, secret: "a\nb" }],
    [{ target }],
  ])("are refused with invalid fields: %j", async (body) => {
    const { ask, hooks } = await service(null);
    expect((await ask("POST", "webhooks", body)).status).toBe(422);
    expect(hooks.calls).toEqual([]);
  });

  test("cannot be registered where no webhook address is allowed", async () => {
    const { ask } = await service(null, { hooks: null });
    const refused = await ask("POST", "webhooks", { events: "chats:close", target });
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      "target: cannot be called: its host is not listed in backend.webhooks of the configuration",
    ]);
  });

  test("get the events they asked for, in order, signed, and never with the header of the handshake", async () => {
    const made = await service(null);
    const { ask, chat, time, appId } = made;
    const events = "chats:create,messages:new,chats:close";
    await ask("POST", "webhooks", { events, target, secret: "shared" });
    const { id, creator } = await chat();
    const answer = await ask("POST", `chats/${id}/messages`, { sender: creator, message: "Hi" });
    await ask("DELETE", `chats/${id}`);
    const created_at = time.now() / 1000;
    expect(await delivered(made)).toEqual([
      { trigger: "chats:create", appId, data: { chatId: id, userId: creator }, created_at },
      {
        trigger: "messages:new",
        appId,
        data: { chatId: id, message: answer.body.message },
        created_at,
      },
      { trigger: "chats:close", appId, data: { chatId: id, userId: "system" }, created_at },
    ]);
    for (const { headers, body } of made.hooks.calls) {
      const signature = createHmac("sha256", "shared")
        .update(body ?? "")
        .digest("hex");
      expect(headers["x-hook-signature"]).toBe(signature);
      expect(Object.keys(headers)).not.toContain("x-hook-secret");
    }
    expect(await delivered(made)).toEqual([]);
  });

  test("are called again after no answer, by one of several processes, before later events", async () => {
    const made = await service(null);
    const { ask, chat, time, hooks } = made;
    await ask("POST", "webhooks", { events: "chats:create,chats:close", target });
    const { id } = await chat();
    await ask("DELETE", `chats/${id}`);
    hooks.answer = () => ({ ok: true, status: 500, text: "" });
    hooks.calls.length = 0;
    await Promise.all([made.deliver(), made.deliver()]);
    expect(hooks.calls).toHaveLength(1);
    hooks.answer = echo;
    expect(await delivered(made)).toEqual([]);
    time.advance(11);
    const events = await delivered(made);
    expect(events.map(({ trigger }) => trigger)).toEqual(["chats:create", "chats:close"]);
  });
});

describe("an event that its address refuses", () => {
  test("is retried alone: its chat's later events wait for it, and those of other chats are sent", async () => {
    const made = await service(null);
    const { ask, chat, time, hooks, deliver } = made;
    await ask("POST", "webhooks", { events: "messages:new", target });
    const [one, two] = [await chat(), await chat()];
    const say = (to: Json, message: string): Promise<unknown> =>
      ask("POST", `chats/${to.id}/messages`, { sender: to.creator, message });
    for (const message of ["ok 1", "broken", "ok 2"]) await say(one, message);
    await say(two, "other");
    const taken: string[] = [];
    let refused = 0;
    hooks.answer = ({ body }) => {
      const { message } = JSON.parse(body ?? "").data.message;
      if (message === "broken") {
        refused += 1;
        return { ok: true, status: 400, text: "" };
      }
      taken.push(message);
      return { ok: true, status: 200, text: "" };
    };
    await deliver();
    expect(taken).toEqual(["ok 1", "other"]);
    for (let tries = 0; tries < 40 && !taken.includes("ok 2"); tries += 1) {
      time.advance(3_600);
      await deliver();
    }
    expect([taken, refused]).toEqual([["ok 1", "other", "ok 2"], 15]);
  });

  test.each([401, 404, 429, 500])(
    "with %i delays all events, because the address itself is out of order",
    async (status) => {
      const made = await service(null);
      const { ask, chat, hooks } = made;
      await ask("POST", "webhooks", { events: "chats:create", target });
      await chat();
      await chat();
      hooks.answer = () => ({ ok: true, status, text: "" });
      hooks.calls.length = 0;
      await made.deliver();
      await made.deliver();
      expect(hooks.calls).toHaveLength(1);
    },
  );
});

describe("events that an address does not accept", () => {
  const hours = 3_600;

  async function dead(): Promise<Service & { readonly webhook: string }> {
    const made = await service(null);
    const { ask, hooks } = made;
    const { body } = await ask("POST", "webhooks", { events: "messages:new", target });
    hooks.answer = () => ({ ok: true, status: 503, text: "" });
    return { ...made, webhook: body.webhook.id };
  }
  async function say({ ask }: Service, chat: Json, message: string): Promise<void> {
    await ask("POST", `chats/${chat.id}/messages`, { sender: chat.creator, message });
  }
  const texts = (events: readonly Json[]): string[] =>
    events.map(({ data }) => data.message.message);

  test("are kept after 15 attempts, with those that waited long behind them, listed, and sent again on request", async () => {
    const made = await dead();
    const { ask, chat, time, hooks, deliver, webhook } = made;
    const open = await chat();
    await say(made, open, "one");
    await say(made, open, "two");
    let attempts = 0;
    for (let hour = 0; hour < 40; hour += 1) {
      hooks.calls.length = 0;
      await deliver();
      attempts += hooks.calls.length;
      if (hour === 30) await say(made, open, "late");
      time.advance(hour < 20 ? 600 : hours);
      if ((await ask("GET", `webhooks/${webhook}/undelivered`)).body.undelivered.length > 0) break;
    }
    expect(attempts).toBe(15);
    const list = await ask("GET", `webhooks/${webhook}/undelivered`);
    expect(texts(list.body.undelivered.map((one: Json) => one.event))).toEqual(["one", "two"]);
    expect(list.body.undelivered[0]).toMatchObject({ attempts: 15, reason: "it answered 503" });
    expect(list.body.undelivered[1]).toMatchObject({ attempts: 0 });
    // They are no longer tried, and do not block later events.
    await say(made, open, "three");
    hooks.answer = echo;
    expect(texts(await delivered(made))).toEqual(["three"]);
    const [first] = list.body.undelivered;
    const again = await ask("POST", `webhooks/${webhook}/undelivered`, { ids: [first.id] });
    expect(again.body).toEqual({ resent: 1 });
    expect(texts(await delivered(made))).toEqual(["one"]);
    expect((await ask("POST", `webhooks/${webhook}/undelivered`)).body).toEqual({ resent: 1 });
    expect(texts(await delivered(made))).toEqual(["two"]);
    expect((await ask("GET", `webhooks/${webhook}/undelivered`)).body.undelivered).toEqual([]);
  });

  test("are listed by the client page by page, belong to one app, and are deleted after a month", async () => {
    const made = await dead();
    const { ask, askOther, chat, options, client, webhook, time, sweep } = made;
    const open = await chat();
    for (const text of ["one", "two", "three"]) await say(made, open, text);
    await options.database.kysely
      .updateTable("chat_webhook_events")
      .set({ given_up: time.now(), reason: "refused" })
      .execute();
    const listed = await Array.fromAsync(client.undelivered(webhook, { length: 2 }));
    expect(texts(listed.map(({ event }) => event))).toEqual(["one", "two", "three"]);
    expect((await askOther("GET", `webhooks/${webhook}/undelivered`)).status).toBe(404);
    expect((await askOther("POST", `webhooks/${webhook}/undelivered`)).status).toBe(404);
    expect((await ask("POST", `webhooks/${webhook}/undelivered`, { ids: ["x"] })).status).toBe(422);
    expect(await client.resend(webhook, [listed[1]?.id ?? 0])).toBe(1);
    time.advance(29 * 24 * hours);
    await sweep();
    expect((await ask("GET", `webhooks/${webhook}/undelivered`)).body.undelivered).toHaveLength(2);
    time.advance(2 * 24 * hours);
    await sweep();
    expect((await ask("GET", `webhooks/${webhook}/undelivered`)).body.undelivered).toEqual([]);
    expect(await client.resend(webhook)).toBe(0);
  });
});

describe("an address that is registered for chats:assign", () => {
  test("chooses the agent, if that one is free", async () => {
    const { ask, agent, chat, hooks } = await service(null);
    const preferred = await agent({ slots: 9 });
    const chosen = await agent({ slots: 1 });
    await ask("POST", "webhooks", { events: "chats:assign", target });
    const asked: Json[] = [];
    hooks.answer = ({ body }) => {
      asked.push(JSON.parse(body ?? ""));
      return { ok: true, status: 200, text: JSON.stringify({ userId: chosen }) };
    };
    const first = await chat();
    expect((await ask("GET", `chats/${first.id}/assign`)).body.agent.id).toBe(chosen);
    expect(asked).toMatchObject([
      { trigger: "chats:assign", data: { chatId: first.id, userId: preferred } },
    ]);
    const second = await chat();
    expect((await ask("GET", `chats/${second.id}/assign`)).body.agent.id).toBe(preferred);
  });

  test.each([
    ["fails", { ok: false, reason: "no complete response in 5000 ms" }],
    ["names nobody", { ok: true, status: 200, text: "" }],
    ["names a stranger", { ok: true, status: 200, text: '{"userId":"x"}' }],
  ] as const)("that %s leaves it to the usual choice", async (_name, answer) => {
    const { ask, agent, chat, hooks } = await service(null);
    const sam = await agent();
    await ask("POST", "webhooks", { events: "chats:assign", target });
    hooks.answer = () => answer;
    const { id } = await chat();
    expect((await ask("GET", `chats/${id}/assign`)).body.agent.id).toBe(sam);
    expect(hooks.calls.at(-1)?.timeout).toBe(5_000);
  });

  test("is asked at every transfer, and an unfinished search is taken up again", async () => {
    const { ask, agent, chat, hooks, chores, time, options, eventsOf } = await service(null);
    const [one, two] = [await agent({ slots: 2 }), await agent()];
    await ask("POST", "webhooks", { events: "chats:assign", target });
    const { id } = await chat();
    await ask("GET", `chats/${id}/assign`);
    await ask("POST", "invitations/reject", { chatId: id, userId: one });
    hooks.calls.length = 0;
    await Promise.all([chores(), chores()]);
    expect(hooks.calls).toHaveLength(1);
    const { body } = await ask("GET", `chats/${id}/history`);
    expect(body.history.at(-1)).toMatchObject({
      trigger: "invitations:new",
      data: { userId: two },
    });
    // As after a crash between the two halves of a search.
    await options.database.kysely
      .updateTable("chat_chats")
      .set({ phase: "searching", invited: null, due: time.now() + 10_000 })
      .execute();
    await chores();
    expect((await eventsOf(id)).at(-1)).toBe("invitations:new");
    time.advance(11);
    const before = (await eventsOf(id)).length;
    await chores();
    expect((await eventsOf(id)).slice(before)).toEqual(["chats:assign", "invitations:new"]);
  });
});
