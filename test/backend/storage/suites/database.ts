import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../../../../src/backend/storage/migrations/list.ts";
import type { BackendDatabase } from "../../../../src/backend/storage/tables/database.ts";
import { isUniqueViolation } from "../../../../src/storage/unique.ts";
import { toColumnTypes, migrate, type Migration } from "../../../../src/storage/migrate.ts";
import { openDatabase } from "../../../../src/backend/storage/open-database.ts";
import { event, hostile } from "./samples.ts";

/**
 * Tests the properties that every part of the backend relies on. `newAddress` creates an empty
 * database each time.
 */
export function databaseIn(name: string, newAddress: () => Promise<string | null>): void {
  async function open(address?: string | null): Promise<BackendDatabase> {
    const database = await openDatabase(address ?? (await newAddress()));
    onTestFinished(() => database.close());
    return database;
  }

  describe(`a database in ${name}`, () => {
    test("commits all of a transaction", async () => {
      const { transaction, durable, kysely } = await open();
      for (const begin of [transaction, durable]) {
        const id = await begin(async (inside) => {
          await inside.insertInto("events").values(event(1)).execute();
          const row = await inside
            .insertInto("events")
            .values(event(2))
            .returning("id")
            .executeTakeFirstOrThrow();
          return row.id;
        });
        expect(id).toBeTypeOf("number");
      }
      expect(await times(kysely)).toStrictEqual([1, 2, 1, 2]);
    });

    test("rolls back a transaction that throws, and goes on", async () => {
      const { transaction, durable, kysely } = await open();
      for (const begin of [transaction, durable]) {
        const failing = begin(async (inside) => {
          await inside.insertInto("events").values(event(1)).execute();
          throw new Error("no");
        });
        await expect(failing).rejects.toThrow("no");
      }
      await kysely.insertInto("events").values(event(2)).execute();
      expect(await times(kysely)).toStrictEqual([2]);
    });

    test("rolls back a transaction with a failed statement, even when the caller ignores the error", async () => {
      const { transaction, kysely } = await open();
      const careless = transaction(async (inside) => {
        await inside.insertInto("events").values(event(1)).execute();
        await sql`INSERT INTO nowhere VALUES (1)`.execute(inside).catch(() => undefined);
        await inside
          .insertInto("events")
          .values(event(2))
          .execute()
          .catch(() => undefined);
      });
      await expect(careless).rejects.toThrow(Error);
      expect(await times(kysely)).toStrictEqual([]);
    });

    test("runs all of a batch, or nothing", async () => {
      const { batch, kysely } = await open();
      const insert = (at: number) => kysely.insertInto("events").values(event(at)).compile();
      const all = kysely.updateTable("events").set({ type: "x" }).compile();
      const read = kysely.selectFrom("events").select("at").orderBy("at").compile();
      expect(await batch([insert(1), insert(2), all, read])).toMatchObject([
        { rows: [], changes: 1 },
        { rows: [], changes: 1 },
        { rows: [], changes: 2 },
        { rows: [{ at: 1 }, { at: 2 }] },
      ]);
      const broken = sql`INSERT INTO nowhere VALUES (1)`.compile(kysely);
      await expect(batch([insert(3), broken])).rejects.toThrow("nowhere");
      expect(await times(kysely)).toStrictEqual([1, 2]);
    });

    test("takes two hundred operations at once, transactions among them", async () => {
      const { transaction, kysely } = await open();
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          index % 4 === 0
            ? transaction(async (inside) => {
                await inside.insertInto("events").values(event(index)).execute();
                await inside
                  .updateTable("revisions")
                  .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
                  .execute();
              })
            : kysely.insertInto("events").values(event(index)).execute(),
        ),
      );
      const { revision } = await kysely
        .selectFrom("revisions")
        .select("revision")
        .executeTakeFirstOrThrow();
      expect(revision).toBe(50);
      expect((await times(kysely)).toSorted((a, b) => a - b)).toStrictEqual(
        Array.from({ length: 200 }, (_, index) => index),
      );
    });

    test("keeps others out of a transaction that is still open", async () => {
      const { transaction, kysely } = await open();
      let others: Promise<number[]> | undefined;
      await transaction(async (inside) => {
        await inside.insertInto("events").values(event(1)).execute();
        others = times(kysely).then((found) => found.filter((at) => at === 2));
        await inside.deleteFrom("events").execute();
        await inside.insertInto("events").values(event(3)).execute();
      });
      expect(await others).toStrictEqual([]);
      expect(await times(kysely)).toStrictEqual([3]);
    });

    test("takes seven megabytes, and leaves the caller's bytes alone", async () => {
      const { kysely, dialect } = await open();
      const { bytes } = toColumnTypes(dialect);
      await sql`CREATE TABLE suite_media (data ${bytes} NOT NULL)`.execute(kysely);
      const data = new Uint8Array(7_000_000).map((_, index) => index % 251);
      await sql`INSERT INTO suite_media (data) VALUES (${data})`.execute(kysely);
      expect(data).toHaveLength(7_000_000);
      const { rows } = await sql<{ data: Uint8Array }>`SELECT data FROM suite_media`.execute(
        kysely,
      );
      expect(Buffer.compare(rows[0]?.data ?? new Uint8Array(), data)).toBe(0);
    });

    test("gives numbers of 53 bits as numbers", async () => {
      const { kysely } = await open();
      const at = Number.MAX_SAFE_INTEGER;
      await kysely.insertInto("events").values(event(at)).execute();
      expect(await times(kysely)).toStrictEqual([at]);
    });

    test("takes any text as a parameter, and finds it again by it", async () => {
      const { kysely } = await open();
      for (const type of hostile) {
        await kysely
          .insertInto("events")
          .values({ ...event(1), type })
          .execute();
        const found = await kysely
          .selectFrom("events")
          .select("id")
          .where("type", "=", type)
          .execute();
        expect(found.length).toBeGreaterThan(0);
      }
    });

    test("distinguishes a violated unique key from other failures", async () => {
      const { kysely } = await open();
      const failure = await kysely
        .insertInto("revisions")
        .values({ subject: "contents", revision: 0 })
        .execute()
        .catch((error: unknown) => error);
      expect(isUniqueViolation(failure)).toBe(true);
      const other = await sql`SELECT nothing`.execute(kysely).catch((error: unknown) => error);
      expect(other).toBeInstanceOf(Error);
      expect(isUniqueViolation(other)).toBe(false);
    });

    test("refuses calls after it is closed, and can be closed twice", async () => {
      const database = await open();
      await Promise.all([database.close(), database.close()]);
      await database.close();
      await expect(times(database.kysely)).rejects.toThrow(Error);
      await expect(database.transaction(() => Promise.resolve())).rejects.toThrow(Error);
    });

    test("finishes pending calls before it closes", async () => {
      const { kysely, close } = await open();
      const asked = Array.from({ length: 20 }, (_, at) =>
        kysely.insertInto("events").values(event(at)).execute(),
      );
      const ended = Promise.allSettled(asked);
      await close();
      expect(new Set((await ended).map(({ status }) => status))).toStrictEqual(
        new Set(["fulfilled"]),
      );
    });
  });

  describe(`migrations in ${name}`, () => {
    const step = (number: number): Migration => ({
      name: `900${number}-test`,
      async up(database, dialect) {
        const { identity, integer, bytes, strict } = toColumnTypes(dialect);
        const table = sql.id(`test_${number}`);
        await sql`CREATE TABLE ${table} (id ${identity}, n ${integer}, b ${bytes}) ${strict}`.execute(
          database,
        );
      },
    });
    const broken: Migration = {
      name: "9009-broken",
      async up(database) {
        await sql`CREATE TABLE left_behind (id integer)`.execute(database);
        throw new Error("the reason");
      },
    };

    async function applied({ kysely }: BackendDatabase): Promise<readonly string[]> {
      const rows = await kysely.selectFrom("afterword_schema").select("name").execute();
      return rows.map(({ name }) => name).toSorted();
    }

    test("are applied once, in order, and reported before each", async () => {
      const database = await open();
      const before = await applied(database);
      expect(before).toStrictEqual(MIGRATIONS.map(({ name }) => name));
      const migrations = [...MIGRATIONS, step(1), step(2)];
      const texts: string[] = [];
      const report = ({ name, number, count }: { name: string; number: number; count: number }) =>
        void texts.push(`${number}/${count} ${name}`);
      expect(await migrate(database, { migrations, report })).toStrictEqual([
        "9001-test",
        "9002-test",
      ]);
      expect(texts).toStrictEqual(["1/2 9001-test", "2/2 9002-test"]);
      expect(await migrate(database, { migrations, report })).toStrictEqual([]);
      expect(texts).toHaveLength(2);
    });

    test("that fail leave the database as it was, and say which step and why", async () => {
      const database = await open();
      const before = await applied(database);
      const failing = migrate(database, { migrations: [...MIGRATIONS, step(1), broken] });
      await expect(failing).rejects.toThrow(/step 9009-broken failed \(the reason\)/);
      expect(await applied(database)).toStrictEqual(before);
      for (const table of ["test_1", "left_behind"]) {
        await expect(sql`SELECT * FROM ${sql.id(table)}`.execute(database.kysely)).rejects.toThrow(
          table,
        );
      }
    });

    test("of a newer version are refused by name", async () => {
      const address = await newAddress();
      const database = await open(address);
      const row = { name: "0999-tomorrow", applied: "2030-01-01T00:00:00.000Z" };
      await database.kysely.insertInto("afterword_schema").values(row).execute();
      const again =
        address === null ? migrate(database, { migrations: MIGRATIONS }) : openDatabase(address);
      await expect(again).rejects.toThrow(
        /written by a newer or an unreleased version of Afterword \(0999-tomorrow is unknown here\): run that version/,
      );
    });

    test("of several processes that start at once are applied once", async () => {
      const address = await newAddress();
      if (address === null) return;
      const opened = await Promise.all(Array.from({ length: 5 }, () => open(address)));
      for (const database of opened) expect(await times(database.kysely)).toStrictEqual([]);
    });
  });
}

/** The times of the stored events, in the order in which they were stored. */
async function times(kysely: BackendDatabase["kysely"]): Promise<number[]> {
  const rows = await kysely.selectFrom("events").select("at").orderBy("id").execute();
  return rows.map(({ at }) => at);
}
