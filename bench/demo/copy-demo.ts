import type { Kysely, Transaction } from "kysely";
import { COUNTS, DEMO_TOPIC } from "../../src/insights/facts.ts";
import { addLines, type LineOfDay } from "../../src/insights/line-counts.ts";
import { chooseId } from "../../src/insights/question-store.ts";
import {
  type InsightsDatabase,
  type InsightsTables,
  type QuestionTable,
  takeTurns,
} from "../../src/insights/tables.ts";

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
 * Copies played counts and questions into a store in one transaction, and marks them as a demo.
 *
 * @returns the number of copied rows
 */
export async function copyDemo(
  from: InsightsDatabase,
  to: InsightsDatabase,
  now: number,
): Promise<number> {
  const lines = await readAllLines(from.kysely);
  const topics = await from.kysely.selectFrom("insight_topics").selectAll().execute();
  const played = new Map(
    topics.map(({ day, instance }) => [
      `${day} ${instance}`,
      { day, instance, topic: DEMO_TOPIC, name: "", count: 1 },
    ]),
  );
  const marked = [...topics, ...played.values()];
  const questions = await from.kysely.selectFrom("insight_questions").selectAll().execute();
  await to.durable(async (queries) => {
    await takeTurns(queries, to.dialect);
    await addLines(queries, lines, to.dialect);
    for (let at = 0; at < marked.length; at += chunk) {
      await queries
        .insertInto("insight_topics")
        .values(marked.slice(at, at + chunk))
        .execute();
    }
    for (const question of questions) await copyQuestion(queries, question, now);
  });
  return lines.length + marked.length + questions.length;
}

/** Adds a question to the group of an earlier demo that asked the same, or as a group of its own. */
async function copyQuestion(
  queries: Transaction<InsightsTables>,
  question: QuestionTable,
  now: number,
): Promise<void> {
  const { instance, language, words, last } = question;
  const earlier = await queries
    .selectFrom("insight_questions")
    .selectAll()
    .where("demo", "=", 1)
    .where("instance", "=", instance)
    .where("language", "=", language)
    .where("words", "=", words)
    .executeTakeFirst();
  if (earlier === undefined) {
    const id = await chooseId(queries, now);
    await queries
      .insertInto("insight_questions")
      .values({ ...question, id, demo: 1 })
      .execute();
    return;
  }
  await queries
    .updateTable("insight_questions")
    .set({
      typed: Math.max(earlier.typed, question.typed),
      asked: earlier.asked + question.asked,
      conversations: earlier.conversations + question.conversations,
      first: Math.min(earlier.first, question.first),
      last: Math.max(earlier.last, last),
    })
    .where("id", "=", earlier.id)
    .execute();
}

/** Databases take a limited number of values in a statement. */
const chunk = 500;

/** Reads all counts of lines. */
async function readAllLines(kysely: Kysely<InsightsTables>): Promise<readonly LineOfDay[]> {
  return kysely
    .selectFrom("insight_lines")
    .innerJoin("insight_series", "id", "series")
    .select(["day", "instance", "language", "channel", "line", "speaker", ...COUNTS])
    .execute();
}
