import { eraseQuestions } from "./question-store.ts";
import type { InsightsDatabase } from "./tables.ts";

/**
 * Erases what was counted and kept, and returns how many rows there were.
 *
 * @param instance null: of all, and the gaps and salts too
 */
export async function eraseInsights(
  database: InsightsDatabase,
  instance: string | null,
): Promise<number> {
  return database.durable(async (queries) => {
    let rows = await eraseQuestions(queries, instance);
    for (const table of ["insight_lines", "insight_topics", "insight_open"] as const) {
      const erasing = queries.deleteFrom(table);
      const one = instance === null ? erasing : erasing.where("instance", "=", instance);
      rows += (await one.executeTakeFirst()).numDeletedRows;
    }
    if (instance === null) {
      await queries.deleteFrom("insight_gaps").execute();
      await queries.deleteFrom("insight_salts").execute();
    }
    return Number(rows);
  });
}
