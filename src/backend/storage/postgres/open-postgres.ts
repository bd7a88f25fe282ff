import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import type { BatchOptions, DatabaseHandle, Outcome, Outcomes } from "../database-handle.ts";
import type { Database } from "../tables/database.ts";
import { readAddress } from "./address.ts";
import { failedConnection } from "./explain.ts";
import { createPool } from "./pool.ts";

/**
 * Connects to a PostgreSQL database. Its tables may still be missing.
 *
 * @param address `postgres://user:password@host:5432/database`, with pg's parameters such as
 *   `sslmode=verify-full`
 * @param options `patient`: statements may take as long as they need
 * @throws AfterwordError `database-unusable`: nobody answers, or not to us; never with the password
 *   in it
 */
export async function openPostgres(
  address: string,
  { patient = false }: { readonly patient?: boolean } = {},
): Promise<DatabaseHandle> {
  const { name, password } = readAddress(address);
  const pool = createPool(address, { name, password }, patient);
  const kysely = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`SELECT 1`.execute(kysely);
  } catch (error) {
    await pool.end();
    throw failedConnection(error, { name, password });
  }
  let closing: Promise<void> | null = null;
  return {
    dialect: "postgres",
    name,
    kysely,
    transaction: (work) => kysely.transaction().execute(work),
    durable: (work) =>
      kysely.transaction().execute(async (transaction) => {
        await onTheDisk.execute(transaction);
        return work(transaction);
      }),
    batch: <const Q extends readonly CompiledQuery[]>(
      queries: Q,
      { durable = false }: BatchOptions = {},
    ) =>
      kysely.transaction().execute(async (transaction) => {
        if (durable) await onTheDisk.execute(transaction);
        const outcomes: Outcome<unknown>[] = [];
        for (const query of queries) {
          const { rows, numAffectedRows = 0n } = await transaction.executeQuery(query);
          outcomes.push({ rows, changes: Number(numAffectedRows) });
        }
        // One for each query, in their order, with the rows of its type.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return outcomes as unknown as Outcomes<Q>;
      }),
    close() {
      // What was asked a moment ago is still on its way through kysely.
      closing ??= setImmediate().then(() => pool.end());
      return closing;
    },
  };
}

/**
 * For a server that somebody has set to answer before it has written. Its stricter settings stay as
 * they are.
 */
const onTheDisk = sql`SELECT set_config('synchronous_commit', 'on', true)
  WHERE current_setting('synchronous_commit') = 'off'`;
