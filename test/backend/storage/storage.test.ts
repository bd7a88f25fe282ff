import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { memoryStorage } from "../../../src/backend/storage/memory.ts";
import { sqliteStorage } from "../../../src/backend/storage/sqlite.ts";
import { STORAGE_LIMITS } from "../../../src/backend/storage/types.ts";
import type {
  HistoryItem,
  Session,
  StorageLimits,
  TrackedEvent,
} from "../../../src/backend/storage/types.ts";
import { login, open, resume, talk } from "../client.ts";

const directory = mkdtempSync(join(tmpdir(), "afterword-backend-"));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;
function newFile(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

function session(key: string, expires = 1000): Session {
  return {
    key,
    id: `id of ${key}`,
    project: "shop",
    language: "en",
    settings: {
      environment: "production",
      userType: 0,
      source: "",
      answerAttributes: ["ANSWER_TEXT"],
      maxRelatedContents: 3,
    },
    turns: 0,
    welcomed: false,
    offered: [1, 2],
    unanswered: 0,
    variables: [["__proto__", "\ud83d\ude00 'x"]],
    expires,
  };
}

function said(message: string): HistoryItem {
  return { user: "bot", message, messageList: [message], datetime: "2026-01-01T00:00:00.000Z" };
}

function event(at: number): TrackedEvent {
  return { at, project: "shop", session: "s", type: "rate", data: '{"value":1}' };
}

describe.each([
  ["memory", (limits: StorageLimits) => memoryStorage(limits)],
  ["a file", (limits: StorageLimits) => sqliteStorage(newFile(), limits)],
])("storage in %s", (_name, make) => {
  const limits = { ...STORAGE_LIMITS, sessions: 3, history: 4, events: 2 };

  test("gives a session back until it expires", async () => {
    const { sessions, close } = make(limits);
    await sessions.create(session("a"), 0);
    expect(await sessions.read("a", 999)).toStrictEqual(session("a"));
    expect(await sessions.read("a", 1000)).toBeNull();
    expect(await sessions.read("b", 0)).toBeNull();
    await close();
  });

  test("keeps what was written last, and the newest of what was said", async () => {
    const { sessions, close } = make(limits);
    await sessions.create(session("a"), 0);
    await sessions.create(session("b"), 0);
    const changed = { ...session("a", 5000), turns: 1, offered: [] };
    await sessions.write(changed, ["1", "2", "3"].map(said));
    await sessions.write(changed, ["4", "5", "6"].map(said));
    await sessions.write(changed, []);
    expect(await sessions.read("a", 4999)).toStrictEqual(changed);
    expect(await sessions.history("a")).toStrictEqual(["3", "4", "5", "6"].map(said));
    expect(await sessions.history("b")).toStrictEqual([]);
    await close();
  });

  test("does not bring back a session that is gone", async () => {
    const { sessions, close } = make(limits);
    await sessions.write(session("a"), [said("1")]);
    expect(await sessions.read("a", 0)).toBeNull();
    expect(await sessions.history("a")).toStrictEqual([]);
    await close();
  });

  test("forgets the session that would expire first when it is full", async () => {
    const { sessions, close } = make(limits);
    for (const [index, key] of ["a", "b", "c"].entries()) {
      await sessions.create(session(key, 1000 + index), 0);
    }
    await sessions.write(session("b", 1001), [said("1")]);
    await sessions.write(session("c", 1002), []);
    await sessions.write(session("a", 2000), [said("1")]);
    await sessions.create(session("d", 2001), 0);
    const kept = async (): Promise<boolean[]> =>
      Promise.all(["a", "b", "c", "d"].map(async (key) => (await sessions.read(key, 0)) !== null));
    expect(await kept()).toStrictEqual([true, false, true, true]);
    await sessions.create(session("e", 2002), 0);
    expect(await kept()).toStrictEqual([true, false, false, true]);
    expect(await sessions.history("b")).toStrictEqual([]);
    await close();
  });

  test("keeps the newest events, in order", async () => {
    const { events, close } = make(limits);
    for (const at of [1, 2, 3]) await events.append(event(at));
    expect(await events.latest(10)).toStrictEqual([event(2), event(3)]);
    expect(await events.latest(1)).toStrictEqual([event(3)]);
    expect(await events.latest(0)).toStrictEqual([]);
    await close();
  });
});

describe("a database file", () => {
  test("carries conversations over a restart, with keys that stay", async () => {
    const database = newFile();
    const before = await open({ database });
    const { headers, say } = await talk(before.app, { body: { lang: "fr" } });
    await say("");
    await say("Où est ma commande ?");
    await before.close();

    const after = await open({ database });
    const { say: sayOn, send, get } = resume(after.app, headers);
    expect((await send({ option: 3 })).body.answers[0].parameters.contents.title).toBe(
      "Frais de livraison",
    );
    expect((await sayOn("")).flags).toStrictEqual(["no-question"]);
    expect((await get("/v1/conversation/history")).body).toHaveLength(6);
    await after.close();
  });

  test("survives a process that never closed it", async () => {
    const database = newFile();
    const before = await open({ database });
    const { headers, say } = await talk(before.app);
    await say("zebra");
    const after = await open({ database });
    const { body } = await resume(after.app, headers).get("/v1/conversation/variables");
    expect(body.sys_unanswered_consecutive.value).toBe("1");
    await before.close();
    await after.close();
  });

  test("is its owner's alone, and holds no session token", async () => {
    const database = join(directory, "new", "deeper", "backend.db");
    const { app, close } = await open({ database });
    const { headers, say } = await talk(app);
    await say("zebra");
    for (const file of [database, `${database}-wal`])
      expect(statSync(file).mode & 0o777).toBe(0o600);
    await close();
    const token = (headers["x-inbenta-session"] ?? "").replace("Bearer ", "");
    expect(readFileSync(database).includes(token)).toBe(false);
    expect(readFileSync(database).includes("zebra")).toBe(true);
  });

  test("with a damaged row ends that session only", async () => {
    const database = newFile();
    const { app, close } = await open({ database });
    const [broken, whole] = [await talk(app), await talk(app)];
    await whole.say("zebra");
    const other = new DatabaseSync(database);
    other.exec(`UPDATE sessions SET state = '{"key":' WHERE state NOT LIKE '%"turns":1%'`);
    other.close();
    expect((await broken.send({ message: "zebra" })).status).toBe(400);
    expect((await whole.send({ message: "zebra" })).status).toBe(200);
    await close();
  });

  test("that is something else, or of a newer version, is refused by name", async () => {
    const text = newFile();
    writeFileSync(
      text,
      "this is no database, although it is long enough to be looked at".repeat(100),
    );
    const newer = newFile();
    const database = new DatabaseSync(newer);
    database.exec("PRAGMA user_version = 99");
    database.close();
    for (const file of [text, newer, directory]) {
      await expect(open({ database: file })).rejects.toMatchObject({
        code: "data-directory-unusable",
        message: expect.stringContaining(file),
      });
    }
  });

  test("keeps credentials out: a token from elsewhere opens nothing", async () => {
    const database = newFile();
    const before = await open({ database });
    const { headers } = await talk(before.app);
    await before.close();
    const after = await open({ database, signingKeys: [new Uint8Array(32).fill(9)] });
    expect((await resume(after.app, headers).send({ message: "" })).status).toBe(401);
    const renewed = { ...headers, ...(await login(after.app)) };
    expect((await resume(after.app, renewed).send({ message: "" })).status).toBe(200);
    await after.close();
  });
});
