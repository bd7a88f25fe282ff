import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, Kysely } from "kysely";
import { AfterwordError } from "../../../errors.ts";
import type { BatchOptions, DatabaseHandle, Outcomes } from "../database-handle.ts";
import type { Database } from "../tables/database.ts";
import { atMost } from "../at-most.ts";
import { sqliteDialect, toStatement } from "./dialect.ts";
import { openLink } from "./link.ts";
import { createTurns } from "./turns.ts";

/** How long anybody waits for somebody else's transaction, in milliseconds. */
const patience = 30_000;

/** How long closing waits for transactions that are under way, in milliseconds. */
const closingPatience = 5000;

/**
 * Opens a SQLite file, made when there is none; null is a database in memory. Its tables may still
 * be missing.
 *
 * @throws AfterwordError `data-directory-unusable`
 */
export async function openSqlite(file: string | null): Promise<DatabaseHandle> {
  const name = file ?? "in memory";
  const link = await openLink(file, name);
  const turns = createTurns(patience, () => {
    const message = `The database ${name} has had one transaction open for ${patience / 1000} seconds, and nothing else can use it meanwhile`;
    return new AfterwordError("database-unusable", message);
  });
  let closing: Promise<void> | null = null;
  const kysely = new Kysely<Database>({ dialect: sqliteDialect(link, turns, { durable: false }) });
  const safe = new Kysely<Database>({ dialect: sqliteDialect(link, turns, { durable: true }) });
  return {
    dialect: "sqlite",
    name,
    kysely,
    transaction: (work) => kysely.transaction().execute(work),
    durable: (work) => safe.transaction().execute(work),
    async batch<const Q extends readonly CompiledQuery[]>(
      queries: Q,
      { durable = false }: BatchOptions = {},
    ) {
      const statements = queries.map(toStatement);
      const send = () => link.send({ kind: "batch", statements, durable });
      // One for each query, in their order, with the rows of its type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await turns.pass(send)) as unknown as Outcomes<Q>;
    },
    close() {
      closing ??= end();
      return closing;
    },
  };

  async function end(): Promise<void> {
    // What was asked a moment ago is still on its way through kysely.
    await setImmediate();
    const turn = turns.take(() => Promise.resolve());
    await atMost(closingPatience, turn);
    await link.close();
    // Whoever came later is told that it is closed.
    await turn.then(
      () => turns.leave(),
      () => undefined,
    );
  }
}
