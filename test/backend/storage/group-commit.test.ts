import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import type { BackendDatabase } from "../../../src/backend/storage/tables/database.ts";

let directory = "";
let database: BackendDatabase;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "afterword-groups-"));
  database = await openDatabase(join(directory, "a.db"));
});
afterEach(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

/** Two rows of one batch: both are kept, or neither. */
async function pair(name: string): Promise<readonly number[]> {
  const row = (part: string): ReturnType<ReturnType<typeof sql>["compile"]> =>
    sql`INSERT INTO project_settings (project, name, value) VALUES (${name}, ${part}, 'x')`.compile(
      database.kysely,
    );
  const outcomes = await database.batch([row("a"), row("b")], { durable: true });
  return outcomes.map(({ changes }) => changes);
}

async function projects(): Promise<readonly string[]> {
  const rows = await database.kysely
    .selectFrom("project_settings")
    .select("project")
    .orderBy("project")
    .execute();
  return rows.map(({ project }) => project);
}

test("durable batches that arrive at once each stand for themselves", async () => {
  await pair("p07");
  const names = Array.from({ length: 150 }, (_, index) => `p${String(index).padStart(2, "0")}`);
  const outcomes = await Promise.allSettled(names.map((name) => pair(name)));
  expect(outcomes.flatMap(({ status }, index) => (status === "rejected" ? [index] : []))).toEqual([
    7,
  ]);
  expect(outcomes[8]).toEqual({ status: "fulfilled", value: [1, 1] });
  expect(outcomes[7]).toMatchObject({ reason: { message: expect.stringContaining("UNIQUE") } });
  expect(await projects()).toEqual(names.flatMap((name) => [name, name]).toSorted());
});

test("a batch whose second statement fails leaves nothing of its first", async () => {
  const failing = database.batch(
    [
      sql`INSERT INTO project_settings (project, name, value) VALUES ('half', 'a', 'x')`.compile(
        database.kysely,
      ),
      sql`INSERT INTO project_settings (project, name, value) VALUES ('half', 'a', 'y')`.compile(
        database.kysely,
      ),
    ],
    { durable: true },
  );
  const outcomes = await Promise.allSettled([pair("one"), failing, pair("two")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await projects()).toEqual(["one", "one", "two", "two"]);
});

test("a transaction asked for among durable batches is neither lost nor torn", async () => {
  const work = [
    pair("one"),
    database.durable(async (queries) => {
      const row = { project: "own", name: "a", value: "x" };
      await queries.insertInto("project_settings").values(row).execute();
    }),
    pair("two"),
    database.kysely.selectFrom("project_settings").selectAll().execute(),
    pair("three"),
  ];
  await Promise.all<unknown>(work);
  expect(await projects()).toEqual(["one", "one", "own", "three", "three", "two", "two"]);
});
