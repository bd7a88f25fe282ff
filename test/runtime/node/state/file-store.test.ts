// Suite: slow
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { memoryLifetime, emptyMemory } from "../../../../src/conversation/memory.ts";
import {
  type FileStoreOptions,
  openFileStore,
} from "../../../../src/runtime/node/state/file-store.ts";
import type { StateStore } from "../../../../src/runtime/node/state/state-store.ts";
import { describeConversationStore, french, keyOf } from "../../../conversation/store-suite.ts";
import { turns } from "../../../fixtures/turns.ts";
import { createFolder } from "../../../fixtures/folder.ts";

describeConversationStore({
  name: "a file",
  limited: true,
  texts: true,
  async open(limit) {
    const file = newFile();
    let time = 1_000_000;
    let damages = 0;
    const store = await openFileStore({
      file,
      limit,
      now: () => time,
      health: silent,
      damaged: () => (damages += 1),
    });
    return {
      store,
      pass(milliseconds) {
        time += milliseconds;
      },
      close: () => store.close(),
      stored: {
        write: (key, text) =>
          inFile(file, (database) => {
            database.prepare("UPDATE conversations SET value = ? WHERE key = ?").run(text, key);
          }),
        damaged: () => damages,
      },
    };
  },
});

describe("the state file", () => {
  it("still knows a conversation after the process has gone on", async () => {
    const file = newFile();
    const key = keyOf();
    const first = await open({ file });
    await first.put(key, french);
    await first.close();
    const second = await open({ file });
    expect(await second.get(key)).toEqual(french);
  });

  it("is for its owner alone, its logs too, in a directory that is made for it", async () => {
    const file = join(createFolder(), "a", "b", "state.db");
    const store = await open({ file });
    await store.put(keyOf(), french);
    const modes = readdirSync(join(file, "..")).map((name) => [name, mode(join(file, "..", name))]);
    expect(modes).toEqual([
      ["state.db", 0o600],
      ["state.db-shm", 0o600],
      ["state.db-wal", 0o600],
    ]);
    expect(mode(join(file, ".."))).toBe(0o700);
  });

  it("is closed to others when it was found open", async () => {
    const file = newFile();
    await (await open({ file })).close();
    chmodSync(file, 0o644);
    await open({ file });
    expect(mode(file)).toBe(0o600);
  });

  it("forgets on the disk too, though nobody writes any more", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const file = newFile();
    let time = 1_000_000;
    const store = await open({ file, now: () => time });
    for (let i = 0; i < 20; i++) {
      await store.put(keyOf(), { ...french, variables: { name: "Wilhelmina" } });
    }
    time += memoryLifetime - 1000;
    const young = keyOf();
    await store.put(young, french);
    time += 120_000;
    vi.advanceTimersByTime(60_000);
    expect(await store.get(young)).toEqual(french);
    expect(
      await inFile(file, (database) => database.prepare("SELECT key FROM conversations").all()),
    ).toEqual([{ key: young }]);
    await store.close();
    expect(readFileSync(file, "latin1")).not.toContain("Wilhelmina");
    expect(readFileSync(file, "latin1")).toContain('"lang":"fr"');
  });

  it("is shared: what one writes, the other reads, and the later writer wins", async () => {
    const file = newFile();
    const [a, b] = [await open({ file }), await open({ file })];
    const key = keyOf();
    await a.put(key, french);
    expect(await b.get(key)).toEqual(french);
    await b.put(key, { ...emptyMemory, lang: "de" });
    expect(await a.get(key)).toEqual({ ...emptyMemory, lang: "de" });
    await a.close();
    expect(await b.get(key)).toEqual({ ...emptyMemory, lang: "de" });
  });

  it("is made once when several processes start at the same time, and loses nothing of theirs", async () => {
    const file = newFile();
    const program = `
      import { openFileStore } from "./src/runtime/node/state/file-store.ts";
      const store = await openFileStore({
        file: ${JSON.stringify(file)}, now: Date.now, damaged() {}, health: { failed() {}, works() {} },
      });
      const memory = { lang: "fr", env: null, userType: null, source: null, variables: {}, shown: [] };
      // A write gives up that another process keeps out for 250 ms, as one may that is itself held
      // up.
      const keep = (key) => store.put(key, memory).catch((error) => {
        if (!String(error).includes("locked")) throw error;
        return keep(key);
      });
      for (let i = 0; i < 50; i++) await keep(process.argv[1] + "-" + i);
      await store.close();
    `;
    const processes = ["a", "b", "c", "d"];
    const ends = await Promise.all(
      processes.map((name) =>
        promisify(execFile)(process.execPath, [
          "--input-type=module-typescript",
          "--eval",
          program,
          name,
        ]),
      ),
    );
    expect(ends.map(({ stderr }) => stderr).join("")).toBe("");
    const store = await open({ file });
    for (const name of processes) {
      for (let i = 0; i < 50; i++) expect(await store.get(`${name}-${i}`)).toEqual(french);
    }
  });

  it("is written at most once a minute for mere reads", async () => {
    const file = newFile();
    let time = 1_000_000;
    const store = await open({ file, now: () => time });
    const key = keyOf();
    await store.put(key, french);
    const writes = await inFile(file, async (database) => {
      const version = (): unknown =>
        database.prepare("PRAGMA data_version").get()?.["data_version"];
      const seen = [version()];
      for (const seconds of [0, 30, 29, 2, 30, 30]) {
        time += seconds * 1000;
        await store.get(key);
        seen.push(version());
      }
      return seen.map((one, i) => i > 0 && one !== seen[i - 1]);
    });
    expect(writes).toEqual([false, false, false, false, true, false, true]);
  });

  it("is read while another process writes, and a write that cannot wait longer rejects", async () => {
    const file = newFile();
    const reports: string[] = [];
    const store = await open({
      file,
      health: {
        failed: (detail) => void reports.push(detail),
        works: () => void reports.push("works"),
      },
    });
    const key = keyOf();
    await store.put(key, french);
    reports.length = 0;
    await inFile(file, async (other) => {
      other.exec("BEGIN IMMEDIATE");
      expect(await store.get(key)).toEqual(french);
      const late = store.put(key, emptyMemory);
      await expect(late).rejects.toThrow("locked");
      other.exec("ROLLBACK");
    });
    await store.put(key, emptyMemory);
    expect(await store.get(key)).toEqual(emptyMemory);
    expect(reports).toEqual([
      "works",
      expect.stringContaining(`${file} cannot be written`),
      "works",
      "works",
    ]);
  });

  it("waits for another process's lock without holding up this one", async () => {
    const file = newFile();
    const store = await open({ file });
    const key = keyOf();
    // A write gives up after 250 ms. A delayed process only returns later, as happens on a busy
    // machine.
    for (let held = Infinity; held >= 250;) {
      await inFile(file, async (other) => {
        other.exec("BEGIN IMMEDIATE");
        const began = performance.now();
        const writing = Promise.allSettled([store.put(key, french)]);
        await turns(1000);
        other.exec("ROLLBACK");
        held = performance.now() - began;
        const [end] = await writing;
        if (held < 250) expect(end).toMatchObject({ status: "fulfilled" });
      });
    }
    expect(await store.get(key)).toEqual(french);
  });

  it("takes no more calls than it can wait for", async () => {
    const store = await open({ file: newFile() });
    const ends = await Promise.allSettled(
      Array.from({ length: 1500 }, async (_, i) => await store.put(`key-${i}`, french)),
    );
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1000);
    await store.put("after", french);
    expect(await store.get("after")).toEqual(french);
  });

  it("rejects what comes after it was closed, and may be closed twice", async () => {
    const store = await open({ file: newFile() });
    await store.close();
    await expect((async () => await store.get(keyOf()))()).rejects.toThrow("closed");
    await expect((async () => await store.put(keyOf(), french))()).rejects.toThrow("closed");
    await store.close();
  });
});

describe("a state file that cannot be used", () => {
  const refused = (message: RegExp) => ({
    code: "data-directory-unusable",
    message: expect.stringMatching(message),
  });

  it("is refused when a newer release wrote it, and stays as it is", async () => {
    const file = newFile();
    await (await open({ file })).close();
    await inFile(file, (database) => database.exec("PRAGMA user_version = 99"));
    await expect(open({ file })).rejects.toMatchObject(
      refused(/newer release.*99.*move the file away/),
    );
    const version = await inFile(file, (database) => database.prepare("PRAGMA user_version").get());
    expect(version).toEqual({ user_version: 99 });
  });

  it("is refused when it is from before the first release", async () => {
    const file = newFile();
    await inFile(file, (database) => database.exec("PRAGMA user_version = 2"));
    await expect(open({ file })).rejects.toMatchObject(
      refused(/from before the first release.*move the file away/),
    );
  });

  it.each([
    ["text", Buffer.from("this is no database at all, but it is long enough".repeat(100))],
    [
      "a database's first bytes and then others",
      Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(8192, 7)]),
    ],
  ])("is refused when it is %s, and stays as it is", async (_, bytes) => {
    const file = newFile();
    writeFileSync(file, bytes);
    await expect(open({ file })).rejects.toMatchObject(
      refused(/state\.db is damaged.*move it away/),
    );
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it("is refused when all but its first page is damaged", async () => {
    const file = newFile();
    await (await open({ file })).close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096);
    writeFileSync(file, bytes);
    await expect(open({ file })).rejects.toMatchObject(refused(/state\.db is damaged/));
  });

  it("is refused when a table is damaged", async () => {
    const file = newFile();
    const first = await open({ file });
    for (let i = 0; i < 200; i++) await first.put(keyOf(), french);
    await first.close();
    const pages = await inFile(file, (database) =>
      database.prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'conversations'").all(),
    );
    const bytes = readFileSync(file);
    for (const { rootpage } of pages) {
      bytes.fill(0xa5, 4096 * (Number(rootpage) - 1), 4096 * Number(rootpage));
    }
    writeFileSync(file, bytes);
    const reports: string[] = [];
    const health = { failed: (detail: string) => void reports.push(detail), works() {} };
    // Pages are first read when they are needed.
    const store = await open({ file, health });
    await expect((async () => await store.get(keyOf()))()).rejects.toThrow("damaged");
    expect(reports[0]).toMatch(/state\.db is damaged.*move it away/);
  });

  it("is refused when a directory stands in its place", async () => {
    const file = newFile();
    mkdirSync(file);
    await expect(open({ file })).rejects.toMatchObject(
      refused(/EISDIR.*data: in the configuration/),
    );
  });

  it("is refused when its directory is a file", async () => {
    const file = newFile();
    writeFileSync(file, "");
    await expect(open({ file: join(file, "state.db") })).rejects.toMatchObject(
      refused(/state\.db cannot be used/),
    );
  });
});

const silent = { failed() {}, works() {} };

async function open(options: Partial<FileStoreOptions> & { file: string }): Promise<StateStore> {
  const store = await openFileStore({
    now: () => Date.now(),
    health: silent,
    damaged() {},
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

function newFile(): string {
  return join(createFolder(), "state.db");
}

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}

/** Reads and changes the file as another process would. */
async function inFile<Value>(
  file: string,
  work: (database: DatabaseSync) => Value | Promise<Value>,
): Promise<Value> {
  const database = new DatabaseSync(file);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}
