import { sql } from "kysely";
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
export async function deleteWhere<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  column: keyof Tables[Table] & string,
  values: Iterable<string | number>,
): Promise<number> {
  const counts = await askInPortions(values, async (some) => {
    const list = sql.join(some);
    const statement = sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} IN (${list})`;
    const { numAffectedRows = 0n } = await statement.execute(queries);
    return [Number(numAffectedRows)];
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
