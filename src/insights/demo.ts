import type { InsightsDatabase } from "./tables.ts";

/** Days with this topic were played by a demo: none of their counts is a reader's. */
export const DEMO_TOPIC = "demo";

/** Finds the days of which a store has counts, of readers or of a demo. */
export async function listCountedDays({ kysely }: InsightsDatabase): Promise<ReadonlySet<number>> {
  const days = new Set<number>();
  for (const table of ["insight_lines", "insight_topics"] as const) {
    const rows = await kysely.selectFrom(table).select("day").distinct().execute();
    for (const { day } of rows) days.add(day);
  }
  return days;
}

/**
 * Copies played counts into a store, and marks their days. All of them, or none: a demo that was
 * stopped leaves nothing behind.
 *
 * @returns the number of copied rows
 */
export async function copyDemo(from: InsightsDatabase, to: InsightsDatabase): Promise<number> {
  const lines = await from.kysely.selectFrom("insight_lines").selectAll().execute();
  const topics = await from.kysely.selectFrom("insight_topics").selectAll().execute();
  const played = new Map(
    topics.map(({ day, instance }) => [
      `${day} ${instance}`,
      { day, instance, topic: DEMO_TOPIC, name: "", count: 1 },
    ]),
  );
  const marked = [...topics, ...played.values()];
  await to.durable(async (queries) => {
    for (let at = 0; at < lines.length; at += chunk) {
      await queries
        .insertInto("insight_lines")
        .values(lines.slice(at, at + chunk))
        .execute();
    }
    for (let at = 0; at < marked.length; at += chunk) {
      await queries
        .insertInto("insight_topics")
        .values(marked.slice(at, at + chunk))
        .execute();
    }
  });
  return lines.length + marked.length;
}

/** Databases take a limited number of values in a statement. */
const chunk = 500;

/** Erases the days that a demo has played, and returns how many rows there were. */
export async function eraseDemo(database: InsightsDatabase): Promise<number> {
  return database.durable(async (queries) => {
    const marked = await queries
      .selectFrom("insight_topics")
      .select(["day", "instance"])
      .where("topic", "=", DEMO_TOPIC)
      .execute();
    let rows = 0n;
    for (const { day, instance } of marked) {
      for (const table of ["insight_lines", "insight_topics"] as const) {
        const { numDeletedRows } = await queries
          .deleteFrom(table)
          .where("day", "=", day)
          .where("instance", "=", instance)
          .executeTakeFirst();
        rows += numDeletedRows;
      }
    }
    return Number(rows);
  });
}
