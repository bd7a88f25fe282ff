import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openMigrated } from "../../src/storage/open-migrated.ts";
import { createFolder } from "../fixtures/folder.ts";

const migrations = [
  {
    name: "0001-first-release",
    up: async (queries: Parameters<ReturnType<typeof sql>["execute"]>[0]) =>
      void (await sql`CREATE TABLE drafts (text text NOT NULL) STRICT`.execute(queries)),
  },
];

it("a fully migrated database can be opened and read while another connection writes to it", async () => {
  const file = join(createFolder(), "console.db");
  await (await openMigrated(file, { migrations })).close();
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE; INSERT INTO drafts VALUES ('theirs')");
  const database = await openMigrated(file, { migrations });
  onTestFinished(() => database.close());
  const { rows } = await sql`SELECT * FROM drafts`.execute(database.kysely);
  expect(rows).toEqual([]);
  other.exec("COMMIT");
  const later = await sql`SELECT * FROM drafts`.execute(database.kysely);
  expect(later.rows).toEqual([{ text: "theirs" }]);
  // A database with a step that is unknown here is still refused.
  await expect(openMigrated(file, { migrations: [] })).rejects.toThrow("0001-first-release");
});
