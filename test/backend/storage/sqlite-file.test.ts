import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import type { BackendDatabase } from "../../../src/backend/storage/tables/database.ts";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { openStorage } from "../../../src/backend/storage/open-storage.ts";
import { openSqliteThread } from "../../../src/storage/sqlite/thread.ts";
import { killedIn } from "./suites/killed.ts";
import { event, session } from "./suites/samples.ts";

const directory = createFolder(afterAll);

let files = 0;
function newFile(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

async function open(file: string): Promise<BackendDatabase> {
  const database = await openDatabase(file);
  onTestFinished(() => database.close());
  return database;
}

killedIn("a file", () => Promise.resolve(newFile()));

describe("a SQLite file", () => {
  test("is accessible to its owner alone, with its directory and its log", async () => {
    const file = join(directory, "new", "deeper", "backend.db");
    const { kysely } = await open(file);
    await kysely.insertInto("events").values(event(1)).execute();
    for (const name of [file, `${file}-wal`, `${file}-shm`]) {
      expect(statSync(name).mode & 0o777).toBe(0o600);
    }
    expect(statSync(join(directory, "new")).mode & 0o777).toBe(0o700);
  });

  test("that others could read is made private", async () => {
    const file = newFile();
    writeFileSync(file, "", { mode: 0o644 });
    chmodSync(file, 0o644);
    await open(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("leaves no log behind when it is closed", async () => {
    const file = newFile();
    const database = await openDatabase(file);
    await database.kysely.insertInto("events").values(event(1)).execute();
    await database.close();
    expect(() => statSync(`${file}-wal`)).toThrow("ENOENT");
  });

  test("is synced on every commit only where durability is requested", async () => {
    const { kysely, transaction, durable } = await open(newFile());
    const level = async (inside: BackendDatabase["kysely"]): Promise<unknown> =>
      (await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(inside)).rows[0]?.synchronous;
    const [normal, full] = [1, 2];
    expect(await level(kysely)).toBe(normal);
    expect(await transaction(level)).toBe(normal);
    expect(await durable(level)).toBe(full);
    expect(await level(kysely)).toBe(normal);
    await expect(durable(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await level(kysely)).toBe(normal);
    const broken = sql`SELECT * FROM nowhere`;
    await expect(durable((inside) => broken.execute(inside))).rejects.toThrow("nowhere");
    expect(await level(kysely)).toBe(normal);
  });

  test("that two processes share shows each what the other has written", async () => {
    const file = newFile();
    const [one, other] = [await open(file), await open(file)];
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        (at % 2 === 0 ? one : other).transaction((inside) =>
          inside.insertInto("events").values(event(at)).execute(),
        ),
      ),
    );
    const rows = await one.kysely.selectFrom("events").select("at").execute();
    expect(rows).toHaveLength(60);
  });

  test("that another process has locked is waited for, and then named", async () => {
    const file = newFile();
    const { kysely, transaction } = await open(file);
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec("BEGIN IMMEDIATE");
    const start = performance.now();
    const locked = {
      code: "database-unusable",
      message: `The database ${file} is locked by another process for more than 5 seconds: end that process, or give each its own database (database is locked)`,
    };
    await expect(kysely.insertInto("events").values(event(1)).execute()).rejects.toMatchObject(
      locked,
    );
    expect(performance.now() - start).toBeGreaterThan(4500);
    // Neither a statement of a transaction that could not begin is stored, nor one without
    // statements.
    await expect(
      transaction((queries) => queries.insertInto("events").values(event(1)).execute()),
    ).rejects.toMatchObject(locked);
    await expect(transaction(() => Promise.resolve())).rejects.toMatchObject(locked);
    other.exec("ROLLBACK");
    await transaction((queries) => queries.insertInto("events").values(event(2)).execute());
    expect(await kysely.selectFrom("events").select("data").execute()).toHaveLength(1);
  });

  test("does not keep a process alive that did not close it", async () => {
    const module = new URL("../../../src/backend/storage/open-storage.ts", import.meta.url).href;
    const program = `
      const { openStorage } = await import(${JSON.stringify(module)});
      const { events } = await openStorage(${JSON.stringify(newFile())});
      await events.append({ at: 1, project: "", session: "", type: "", data: "" });
      console.log(JSON.stringify(await events.latest(1)));`;
    const run = promisify(execFile);
    const args = ["--input-type=module", "--eval", program];
    const { stdout } = await run(process.execPath, args, { timeout: 120_000 });
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  test("whose thread dies rejects pending and later calls, and closes", async () => {
    const thread = await openSqliteThread({
      file: newFile(),
      name: "the file",
      lockPatience: 5000,
      maxWaiting: 10_000,
      explain: ({ message }) => new Error(message),
    });
    const begin = { kind: "begin", durable: false } as const;
    const asked = [thread.send({ kind: "nonsense" } as never), thread.send(begin)];
    const waited = await Promise.allSettled(asked);
    const outcomes = [...waited, ...(await Promise.allSettled([thread.send(begin)]))];
    expect(outcomes).toHaveLength(3);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: {
          code: "database-unusable",
          message: expect.stringMatching(
            /^The database the file is out of reach.*start the process/,
          ),
        },
      });
    }
    await thread.close();
  });
});

describe("a file that is not a backend database is refused by name:", () => {
  const refusal = async (file: string): Promise<unknown> => {
    const error: unknown = await openStorage(file).then(
      (storage) => storage.close(),
      (failure: unknown) => failure,
    );
    expect(error).toMatchObject({
      code: "data-directory-unusable",
      message: expect.stringContaining(file),
    });
    return error instanceof Error ? error.message : "";
  };

  test("a directory", async () => {
    expect(await refusal(directory)).toMatch(/is a directory: name a file in it/);
  });

  test("a path below a file", async () => {
    const file = newFile();
    writeFileSync(file, "");
    expect(await refusal(join(file, "backend.db"))).toMatch(/lies below a file: name a directory/);
  });

  test("a file that is not a database", async () => {
    const file = newFile();
    writeFileSync(file, "this is no database, although it is long enough to look at".repeat(100));
    expect(await refusal(file)).toMatch(
      /is damaged or no database at all: put a backup in its place/,
    );
  });

  test("a database that is damaged", async () => {
    const file = newFile();
    const storage = await openStorage(file);
    await storage.sessions.create(session("a", Date.now() + 100_000));
    await storage.close();
    const damaged = Buffer.alloc(statSync(file).size, 0x5a);
    damaged.write("SQLite format 3\0");
    writeFileSync(file, damaged);
    expect(await refusal(file)).toMatch(/damaged|no database/);
  });

  test("another program's database", async () => {
    const file = newFile();
    const other = new DatabaseSync(file);
    other.exec("CREATE TABLE recipes (id INTEGER)");
    other.close();
    expect(await refusal(file)).toMatch(/another program's \(it has the table recipes\)/);
    const again = new DatabaseSync(file);
    expect(again.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"]).toBe(1);
    again.close();
  });

  test("a database from before the first release", async () => {
    const file = newFile();
    const earlier = new DatabaseSync(file);
    earlier.exec("CREATE TABLE afterword_migrations (name text PRIMARY KEY, applied INTEGER)");
    earlier.close();
    expect(await refusal(file)).toMatch(
      /was written by a version of Afterword from before the first release[^.]*: move it away/,
    );
  });

  // Root may write anywhere, so there is nothing to test as root.
  test.skipIf(process.getuid?.() === 0)("a directory that may not be written", async () => {
    const closed = join(directory, "closed");
    mkdirSync(closed, { mode: 0o500 });
    expect(await refusal(join(closed, "backend.db"))).toMatch(/cannot be written: let/);
  });
});
