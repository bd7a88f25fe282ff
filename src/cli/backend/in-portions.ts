import { type RawBuilder, sql } from "kysely";
import type { Queries, Tables } from "../../backend/storage/tables/database.ts";

/** Values in one statement, far below the limits of both databases. */
const portion = 500;

/** Asks about all values, {@link portion} at a time, and joins the answers. */
export async function askInPortions<Value, Answer>(
  values: Iterable<Value>,
  ask: (values: Value[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  const all = [...values];
  const answers: Answer[] = [];
  for (let at = 0; at < all.length; at += portion) {
    answers.push(...(await ask(all.slice(at, at + portion))));
  }
  return answers;
}

/** Deletes the rows whose column has one of the values. Returns their number. */
export function deleteWhere<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  column: keyof Tables[Table] & string,
  values: Iterable<string | number>,
): Promise<number> {
  return changeWhere(queries, sql`DELETE FROM ${sql.table(table)}`, column, values);
}

/** Sets a column to null where it has one of the values. Returns the number of rows. */
export function clearWhere<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  column: keyof Tables[Table] & string,
  values: Iterable<string | number>,
): Promise<number> {
  const change = sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = NULL`;
  return changeWhere(queries, change, column, values);
}

async function changeWhere(
  queries: Queries,
  change: RawBuilder<unknown>,
  column: string,
  values: Iterable<string | number>,
): Promise<number> {
  const counts = await askInPortions(values, async (some) => {
    const statement = sql`${change} WHERE ${sql.ref(column)} IN (${sql.join(some)})`;
    const { numAffectedRows = 0n } = await statement.execute(queries);
    return [Number(numAffectedRows)];
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
