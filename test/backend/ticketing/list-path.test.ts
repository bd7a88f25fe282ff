import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { pathOf } from "../../../src/backend/ticketing/list-tickets.ts";
import type { TicketColumn } from "../../../src/backend/ticketing/iql/to-filter.ts";
import type { ListOrder } from "../../../src/backend/ticketing/list-tickets.ts";
import { createFolder } from "../../fixtures/folder.ts";

const cases: readonly (readonly [
  ListOrder,
  readonly TicketColumn[],
  readonly TicketColumn[],
  string,
])[] = [
  ["id", [], [], "tickets_by_id"],
  ["updated", ["status", "queue"], ["status", "queue"], "tickets_by_updated"],
  ["created", ["source", "classification"], ["source"], "tickets_by_created"],
  ["updated", ["updated"], [], "tickets_by_updated"],
  // The row must be read for its title, so the rows' own order is used.
  ["id", ["title"], ["title"], "tickets_by_id"],
  ["updated", ["title"], ["title"], "tickets_by_id, sorted"],
  ["created", ["updated"], [], "tickets_by_id, sorted"],
  // A creator has few tickets, unless the condition may hold without one.
  ["updated", ["creator", "status"], ["creator"], "its own, sorted"],
  ["updated", ["creator", "status"], [], "tickets_by_id, sorted"],
  ["id", ["external_id"], ["external_id"], "its own, sorted"],
];

test.each(cases)(
  "in the order %s, a filter by %j (of one value: %j) reads %s",
  (order, asked, fixed, expected) => {
    const { index, sorts } = pathOf(order, asked, new Set(fixed));
    expect(`${index ?? "its own"}${sorts ? ", sorted" : ""}`).toBe(expected);
  },
);

test("the named indexes cover the filtered columns, and selective columns use their own index", async () => {
  const directory = createFolder();
  const file = join(directory, "backend.db");
  await (await openDatabase(file)).close();
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  const planOf = (sql: string): string =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => String(row["detail"]))
      .join("; ");
  for (const order of ["id", "created", "updated"]) {
    const plan = planOf(
      `SELECT id FROM tickets INDEXED BY tickets_by_${order} WHERE project = 'p' AND status = 1 AND queue = 1
       AND source = 1 AND classification = 1 ORDER BY ${order}, id LIMIT 9 OFFSET 9`,
    );
    expect(plan).toBe(`SEARCH tickets USING COVERING INDEX tickets_by_${order} (project=?)`);
  }
  for (const column of ["creator", "solver", "parent", "external_id", "hash_uuid"]) {
    const plan = planOf(
      `SELECT id FROM tickets WHERE project = 'p' AND ${column} = 1 ORDER BY +updated, +id LIMIT 9`,
    );
    expect(plan).toMatch(new RegExp(`^SEARCH tickets USING .*\\(.*${column}=\\?\\)`));
  }
});
