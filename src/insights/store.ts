import { type CompiledQuery, sql, type Transaction } from "kysely";
import { runTogether } from "../storage/run-together.ts";
import { type Counted, dayOf, keptDays, maxOpenLines } from "./batch.ts";
import type { Gap } from "./gaps.ts";
import { compileSaltDeletion, createHashes, readSalts, type Salt } from "./hashes.ts";
import { compileLines, forgetLines } from "./line-counts.ts";
import type { NotedFacts } from "./noted-facts.ts";
import { compileOpen, readOpen, takeExpired } from "./open-lines.ts";
import { addQuestions, sweepQuestions } from "./question-store.ts";
import { createGivenNames, type KeptQuestions, readAsked } from "./questions.ts";
import { type LanguageOfContents, readShownContents } from "./shown-contents.ts";
import { type InsightsDatabase, type InsightsTables, rowsOf, takeTurns } from "./tables.ts";
import { compileWriter, forgetWriter, takeEndedWriters } from "./writers.ts";

export interface InsightsStore {
  /**
   * Counts a batch in one transaction: all of it, or nothing. Processes take turns.
   *
   * @returns the outcomes that are known now
   */
  write(noted: NotedFacts, gaps: readonly Gap[], now: number): Promise<Counted["outcomes"]>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly database: InsightsDatabase;
  /** SHA-256 of a text as hex. */
  readonly digest: (text: string) => string;
  /** Makes the salt of a day: unguessable. */
  readonly createSalt: () => string;
  /** Null if the texts of questions are not kept. */
  readonly questions: KeptQuestions | null;
  /** Default: contents are in the languages of their readers. */
  readonly languageOfContents?: LanguageOfContents | undefined;
  /** The largest number of open lines. */
  readonly maxOpen?: number;
}

export function createInsightsStore(options: StoreOptions): InsightsStore {
  const { database, questions, maxOpen = maxOpenLines, createSalt, digest } = options;
  const { languageOfContents = (_instance, language) => language } = options;
  const given = createGivenNames();
  const writer = createSalt().slice(0, 32);
  let cleanedDay = Number.NaN;
  let sweptAt = Number.NaN;
  /** The salts of the last read. Each sweep reads them again: a restored backup may have others. */
  let salts: readonly Salt[] = [];

  return {
    async close() {
      try {
        await forgetWriter(database, writer);
      } finally {
        await database.close();
      }
    },
    async write({ batch, held, asked: noted }, gaps, now) {
      const today = dayOf(now);
      const isSweeping = !(Math.abs(now - sweptAt) < sweepInterval);
      const shown = await readShownContents(held, languageOfContents);
      for (const { fact, conversation } of held) {
        batch.take(fact, conversation, shown.get(fact)?.lines);
      }
      const asked = questions === null ? [] : await readAsked(noted, shown, questions, given);
      const counted = await database.transaction(async (queries) => {
        const { dialect } = database;
        await takeTurns(queries, dialect);
        const areCurrent = !isSweeping && salts.some(({ day }) => day === today);
        const known = areCurrent ? salts : await readSalts(queries, createSalt, now);
        const hashesOf = createHashes(known, digest, now);
        const before = await readOpen(queries, batch.conversations(), hashesOf, dialect);
        const expired = isSweeping ? await takeExpired(queries, before.hashes, now, maxOpen) : null;
        const ended = isSweeping ? await takeEndedWriters(queries, writer, now) : [];
        const result = batch.finish(before.lines, expired?.lines ?? []);
        const statements = [
          ...compileLines(queries, result.lines, dialect),
          ...compileTopics(queries, result.topics, dialect),
          ...compileOpen(queries, result.open, before, hashesOf, dialect),
          ...compileGaps(queries, [...gaps, ...ended]),
          compileWriter(queries, writer, now),
          ...(isSweeping ? [compileSaltDeletion(queries, now)] : []),
        ];
        await runTogether(queries, statements, dialect);
        if (questions !== null) {
          const hashed = asked.map((one) => ({
            ...one,
            hashes: one.conversation === null ? [] : hashesOf(one.conversation),
          }));
          await addQuestions(queries, hashed, questions, now);
        }
        if (cleanedDay !== today) {
          await deleteOldRows(queries, today);
          await sweepQuestions(queries, questions?.retention ?? null, now);
        }
        const { isComplete = true } = expired ?? {};
        return { outcomes: result.outcomes, salts: known, isComplete };
      });
      ({ salts } = counted);
      cleanedDay = today;
      if (isSweeping) sweptAt = counted.isComplete ? now : Number.NaN;
      return counted.outcomes;
    },
  };
}

/** Milliseconds after which the store looks again for expired lines and processes that have ended. */
const sweepInterval = 10_000;

type Queries = Transaction<InsightsTables>;

function compileTopics(
  queries: Queries,
  rows: readonly InsightsTables["insight_topics"][],
  dialect: InsightsDatabase["dialect"],
): readonly CompiledQuery[] {
  if (rows.length === 0) return [];
  const given = rows.map(({ day, topic, instance, name, count }) => {
    return [day, topic, instance, name, count];
  });
  const add = sql`
    INSERT INTO insight_topics (day, topic, instance, name, count)
    SELECT CAST(value ->> 0 AS bigint), value ->> 1, value ->> 2, value ->> 3,
      CAST(value ->> 4 AS bigint)
    FROM ${rowsOf(given, dialect)} WHERE true
    ON CONFLICT (day, topic, instance, name)
      DO UPDATE SET count = insight_topics.count + excluded.count
  `;
  return [add.compile(queries)];
}

function compileGaps(queries: Queries, gaps: readonly Gap[]): readonly CompiledQuery[] {
  return gaps.length === 0 ? [] : [queries.insertInto("insight_gaps").values(gaps).compile()];
}

/** Deletes rows past their retention. */
async function deleteOldRows(queries: Queries, today: number): Promise<void> {
  const oldest = today - keptDays;
  await forgetLines(queries, oldest);
  await queries.deleteFrom("insight_topics").where("day", "<", oldest).execute();
  await queries
    .deleteFrom("insight_gaps")
    .where("until", "<", oldest * 86_400_000)
    .execute();
}
