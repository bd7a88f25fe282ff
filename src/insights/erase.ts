import type { Transaction } from "kysely";
import { emptyLog } from "../storage/empty-log.ts";
import { DEMO_TOPIC, type Erasure } from "./facts.ts";
import { eraseLines } from "./line-counts.ts";
import { type InsightsDatabase, type InsightsTables, takeTurns } from "./tables.ts";

/** Erases counts and questions, also from SQLite's log, and returns the number of rows. */
export async function eraseInsights(
  database: InsightsDatabase,
  { instances, demo }: Erasure,
): Promise<number> {
  // PostgreSQL does not accept an empty list.
  if (instances?.length === 0) return 0;
  const rows = await (demo ? eraseDemo(database, instances) : eraseAll(database, instances));
  await emptyLog(database);
  return rows;
}

async function eraseAll(
  database: InsightsDatabase,
  instances: Erasure["instances"],
): Promise<number> {
  return database.durable(async (queries) => {
    await takeTurns(queries, database.dialect);
    let rows = await eraseQuestions(queries, instances);
    rows += await eraseLines(queries, { instances, day: null });
    for (const table of ["insight_topics", "insight_open"] as const) {
      const erasing = queries.deleteFrom(table);
      const some = instances === null ? erasing : erasing.where("instance", "in", instances);
      rows += (await some.executeTakeFirst()).numDeletedRows;
    }
    if (instances === null) await queries.deleteFrom("insight_gaps").execute();
    return Number(rows);
  });
}

/** Erases the questions of these instances, or of all, and returns how many groups there were. */
async function eraseQuestions(
  queries: Transaction<InsightsTables>,
  instances: readonly string[] | null,
): Promise<bigint> {
  const erasing = queries.deleteFrom("insight_questions");
  const some = instances === null ? erasing : erasing.where("instance", "in", instances);
  const { numDeletedRows } = await some.executeTakeFirst();
  await queries
    .deleteFrom("insight_askers")
    .where("question", "not in", (from) => from.selectFrom("insight_questions").select("id"))
    .execute();
  return numDeletedRows;
}

/** Erases the counts and questions of demos, and returns the number of rows. */
async function eraseDemo(
  database: InsightsDatabase,
  instances: Erasure["instances"],
): Promise<number> {
  return database.durable(async (queries) => {
    await takeTurns(queries, database.dialect);
    const marked = await queries
      .selectFrom("insight_topics")
      .select(["day", "instance"])
      .where("topic", "=", DEMO_TOPIC)
      .execute();
    const questions = await queries
      .deleteFrom("insight_questions")
      .where("demo", "=", 1)
      .$if(instances !== null, (of) => of.where("instance", "in", instances ?? []))
      .executeTakeFirst();
    let rows = questions.numDeletedRows;
    for (const { day, instance } of marked) {
      if (instances !== null && !instances.includes(instance)) continue;
      rows += await eraseLines(queries, { instances: [instance], day });
      const { numDeletedRows } = await queries
        .deleteFrom("insight_topics")
        .where("day", "=", day)
        .where("instance", "=", instance)
        .executeTakeFirst();
      rows += numDeletedRows;
    }
    return Number(rows);
  });
}
