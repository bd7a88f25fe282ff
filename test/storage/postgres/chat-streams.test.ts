import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createFeed } from "../../../src/backend/chat/events/feed.ts";
import type { ChatFeed } from "../../../src/backend/chat/events/feed.ts";
import type { Subscription } from "../../../src/backend/chat/events/subscription.ts";
import { chatOutbox, emit } from "../../../src/backend/chat/emit.ts";
import { deliverEvents } from "../../../src/backend/webhooks/deliveries.ts";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import type { BackendDatabase } from "../../../src/backend/storage/tables/database.ts";
import { service } from "../../backend/chat/service.ts";
import type { Service } from "../../backend/chat/service.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

async function feedOf(database: BackendDatabase, every?: number): Promise<ChatFeed> {
  const feed = createFeed({
    now: Date.now,
    database,
    ...(every !== undefined && { every }),
    report: (error) => {
      throw error;
    },
  });
  onTestFinished(() => feed.close());
  return feed;
}

async function opened(
  feed: ChatFeed,
  app: string,
  after: number | null = null,
): Promise<Subscription> {
  const stream = await feed.open({ app, person: null }, after);
  if (stream === null) throw new Error("the feed has ended");
  onTestFinished(() => stream.close());
  return stream;
}

/** The texts of this many events. */
async function take(stream: Subscription, count: number): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < count) {
    const events = await stream.next(40_000);
    if (events.length === 0)
      throw new Error(`only ${texts.length} of ${count} came: ${texts.join()}`);
    texts.push(...events.map(({ body }) => JSON.parse(body).data.text));
  }
  return texts;
}

/** A transaction that has written an event and is still open. */
async function pending(
  { options, appId }: Service,
  chat: number,
  text: string,
): Promise<{ commit: () => Promise<void>; undo: () => Promise<void> }> {
  const noted = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<boolean>();
  const done = options.database.transaction(async (queries) => {
    const data = { text };
    await emit(queries, { app: appId, chat, trigger: "system:info", data, now: 1 });
    noted.resolve();
    if (!(await decided.promise)) throw new Error("undone");
  });
  await noted.promise;
  return {
    async commit() {
      decided.resolve(true);
      await done;
    },
    async undo() {
      decided.resolve(false);
      await done.catch(() => undefined);
    },
  };
}

async function numberOf({ options, chat }: Service): Promise<number> {
  const { id } = await chat();
  const query = options.database.kysely.selectFrom("chat_chats").select("number");
  return (await query.where("id", "=", id).executeTakeFirstOrThrow()).number;
}

describe("a stream over PostgreSQL", () => {
  test("waits for an event with a smaller id that is committed later, and keeps the order of the ids", async () => {
    const made = await service(await server.migratedDatabase());
    const number = await numberOf(made);
    const stream = await opened(await feedOf(made.options.database, 20), made.appId);
    // Numbers are assigned in this order, and become visible in another.
    const first = await pending(made, number, "first");
    const second = await pending(made, number, "second");
    const third = await pending(made, number, "third");
    await third.commit();
    // Events after the gap wait, however long that takes.
    expect(await stream.next(400)).toEqual([]);
    await first.commit();
    expect(await take(stream, 1)).toEqual(["first"]);
    expect(await stream.next(200)).toEqual([]);
    await second.commit();
    expect(await take(stream, 2)).toEqual(["second", "third"]);
  });

  test("does not wait for a transaction that was rolled back, nor for one that writes no event", async () => {
    const made = await service(await server.migratedDatabase());
    const number = await numberOf(made);
    const stream = await opened(await feedOf(made.options.database, 20), made.appId);
    const idle = Promise.withResolvers<void>();
    // Another long transaction, such as an import.
    const other = made.options.database.transaction(async (queries) => {
      await queries.updateTable("chat_rooms").set({ name: "Other" }).execute();
      await idle.promise;
    });
    const undone = await pending(made, number, "undone");
    const kept = await pending(made, number, "kept");
    await kept.commit();
    await undone.undo();
    expect(await take(stream, 1)).toEqual(["kept"]);
    idle.resolve();
    await other;
  });

  test("that begins while an event is being written waits for that event, and delivers it", async () => {
    const made = await service(await server.migratedDatabase());
    const number = await numberOf(made);
    const early = await pending(made, number, "early");
    const late = await pending(made, number, "late");
    await late.commit();
    const feed = await feedOf(made.options.database, 20);
    const delivery = opened(feed, made.appId, 1).then((stream) => take(stream, 2));
    await expect.poll(() => feed.count).toBe(1);
    await early.commit();
    expect(await delivery).toEqual(["early", "late"]);
  });

  test("continues at another process after the last event, while six writers add more", async () => {
    const address = await server.migratedDatabase();
    const made = await service(address);
    const number = await numberOf(made);
    const other = await openDatabase(address);
    onTestFinished(() => other.close());
    const feeds = [await feedOf(made.options.database, 10), await feedOf(other, 10)];
    const [writers, each] = [6, 40];
    const texts: string[] = [];
    let last = 1;
    const stay = await opened(feeds[0] as ChatFeed, made.appId, last);
    const writing = Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let n = 0; n < each; n += 1) {
          const transaction = await pending(made, number, `${writer}:${n}`);
          // Some are rolled back: their numbers never appear.
          if (n % 7 === 3) await transaction.undo();
          else await transaction.commit();
        }
      }),
    );
    const undone = Array.from({ length: each }, (_, n) => n).filter((n) => n % 7 === 3).length;
    const total = writers * (each - undone);
    for (let turn = 0; texts.length < total; turn += 1) {
      const stream = await opened(feeds[turn % 2] as ChatFeed, made.appId, last);
      const events = await stream.next(3_000);
      texts.push(...events.map(({ body }) => JSON.parse(body).data.text));
      last = events.at(-1)?.number ?? last;
      stream.close();
    }
    await writing;
    expect(new Set(texts).size).toBe(total);
    expect(texts).toEqual(await take(stay, total));
    for (let writer = 0; writer < writers; writer += 1) {
      const own = texts.filter((text) => text.startsWith(`${writer}:`));
      expect(own.map((text) => Number(text.split(":")[1]))).toEqual(
        Array.from({ length: each }, (_, n) => n).filter((n) => n % 7 !== 3),
      );
    }
  });

  test("delivers an event of another process within two seconds", async () => {
    const address = await server.migratedDatabase();
    const made = await service(address);
    const other = await openDatabase(address);
    onTestFinished(() => other.close());
    const stream = await opened(await feedOf(other), made.appId);
    const { id, creator } = await made.chat();
    await stream.next(40_000);
    const took: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      const began = performance.now();
      await made.ask("POST", `chats/${id}/messages`, { sender: creator, message: `m${n}` });
      const [event] = await stream.next(40_000);
      expect(event?.trigger).toBe("messages:new");
      took.push(performance.now() - began);
    }
    // It looks ten times a second; the fastest of ten was not delayed by a busy machine.
    expect(Math.min(...took)).toBeLessThan(2_000);
  });
});

describe("two processes over PostgreSQL", () => {
  test("deliver every event of a chat to a webhook once and in order", async () => {
    const address = await server.migratedDatabase();
    const made = await service(address);
    const other = await openDatabase(address);
    onTestFinished(() => other.close());
    const { ask, chat, hooks, options, appId } = made;
    await ask("POST", "webhooks", { events: "messages:new", target: "https://hook.test/" });
    const { id, creator } = await chat();
    const texts = Array.from({ length: 30 }, (_, n) => `m${n}`);
    for (const message of texts) {
      await ask("POST", `chats/${id}/messages`, { sender: creator, message });
    }
    hooks.calls.length = 0;
    const transport = options.hooks ?? (() => Promise.reject(new Error("no hooks")));
    const deliver = (database: BackendDatabase): Promise<void> =>
      deliverEvents(chatOutbox, {
        ...options,
        database,
        hooks: transport,
        report: () => undefined,
      });
    await vi.waitFor(async () => {
      await Promise.all([deliver(options.database), deliver(other), deliver(other)]);
      expect(hooks.calls.length).toBeGreaterThanOrEqual(texts.length);
    }, 40_000);
    const events = hooks.calls.map(({ body }) => JSON.parse(body ?? ""));
    expect(events.map(({ data }) => data.message.message)).toEqual(texts);
    expect(new Set(events.map((one) => one.appId))).toEqual(new Set([appId]));
  });

  test("end an invitation once, and close a silent chat once", async () => {
    const address = await server.migratedDatabase();
    const made = await service(address);
    const other = await openDatabase(address);
    onTestFinished(() => other.close());
    const { ask, chat, agent, time, options, eventsOf } = made;
    const { doChatChores } = await import("../../../src/backend/chat/chores.ts");
    const both = (): Promise<unknown> =>
      Promise.all([doChatChores(options), doChatChores({ ...options, database: other })]);
    await agent();
    await agent();
    const { id } = await chat();
    const silent = await chat();
    await ask("GET", `chats/${id}/assign`);
    for (let passed = 1; passed <= 2; passed += 1) {
      time.advance(31);
      await both();
      const events = await eventsOf(id);
      expect(events.filter((event) => event === "invitations:reject")).toHaveLength(passed);
    }
    expect((await eventsOf(id)).filter((event) => event === "forever:alone")).toHaveLength(1);
    time.advance(901);
    await both();
    const closed = (await eventsOf(silent.id)).filter((event) => event === "chats:close");
    expect(closed).toHaveLength(1);
  });
});
