import { sql } from "kysely";
import { expect, test } from "vitest";
import { service } from "./service.ts";

test("a search is answered although its tracking cannot be written, and the failure is logged", async () => {
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  const { ask, database, events } = await service(null, { report });
  const search = { query: "returns" };
  const before = await ask("POST", "/search", search);
  expect([before.status, (await events()).length]).toEqual([200, 1]);
  await sql`PRAGMA query_only = 1`.execute(database.kysely);
  const after = await ask("POST", "/search", search);
  expect([after.status, after.body.results.length]).toEqual([200, before.body.results.length]);
  expect(reported).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/readonly/) }),
  ]);
  expect(await events()).toHaveLength(1);
});
