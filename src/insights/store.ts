import type { Transaction } from "kysely";
import { type Counted, dayOf, keptDays, mostOpenLines } from "./batch.ts";
import type { Gap } from "./gaps.ts";
import { createHashes } from "./hashes.ts";
import { addLines, forgetLines } from "./line-counts.ts";
import type { NotedFacts } from "./noted-facts.ts";
import { keepOpen, readOpen, takeExpired } from "./open-lines.ts";
import { addQuestions, sweepQuestions } from "./question-store.ts";
import { type KeptQuestions, readAsked } from "./questions.ts";
import { type LanguageOfContents, readShownContents } from "./shown-contents.ts";
import { type InsightsDatabase, type InsightsTables, takeTurns } from "./tables.ts";
import { forgetWriter, noteWriter } from "./writers.ts";

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
  /** Null: the words of no question are kept. */
  readonly questions: KeptQuestions | null;
  /** Default: contents are in the languages of their readers. */
  readonly languageOfContents?: LanguageOfContents | undefined;
  /** The most lines whose outcome is waited for. */
  readonly mostOpen?: number;
}

export function createInsightsStore(options: StoreOptions): InsightsStore {
  const { database, questions, mostOpen = mostOpenLines, createSalt } = options;
  const { languageOfContents = (_instance, language) => language } = options;
  const writer = createSalt().slice(0, 32);
  let sweptDay = Number.NaN;
  let looked = Number.NaN;

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
      const isLooking = !(Math.abs(now - looked) < betweenLooks);
      const shown = await readShownContents(held, languageOfContents);
      for (const { fact, conversation } of held) {
        batch.take(fact, conversation, shown.get(fact)?.lines);
      }
      const asked = questions === null ? [] : await readAsked(noted, shown, questions);
      const counted = await database.transaction(async (queries) => {
        const { dialect } = database;
        await takeTurns(queries, dialect);
        const hashesOf = await createHashes(queries, options, now);
        const before = await readOpen(queries, batch.conversations(), hashesOf, dialect);
        const expired = isLooking ? await takeExpired(queries, before.hashes, now, mostOpen) : [];
        const result = batch.finish(before.lines, expired);
        await addLines(queries, result.lines, dialect);
        await addTopics(queries, result.topics);
        await keepOpen(queries, result.open, before, (one) => hashesOf(one)[0], dialect);
        const ended = await noteWriter(queries, writer, now);
        await workInChunks([...gaps, ...ended], (some) =>
          queries.insertInto("insight_gaps").values(some).execute(),
        );
        if (questions !== null) {
          const known = asked.map((one) => ({
            ...one,
            hashes: one.conversation === null ? [] : hashesOf(one.conversation),
          }));
          await addQuestions(queries, known, questions, now);
        }
        if (sweptDay !== today) {
          await sweep(queries, today);
          await sweepQuestions(queries, questions?.retention ?? null, now);
        }
        return result;
      });
      sweptDay = today;
      if (isLooking) looked = now;
      return counted.outcomes;
    },
  };
}

/** All open lines are looked through for expired ones so often, in milliseconds. */
const betweenLooks = 10_000;

type Queries = Transaction<InsightsTables>;

async function addTopics(
  queries: Queries,
  rows: readonly InsightsTables["insight_topics"][],
): Promise<void> {
  await workInChunks(rows, (some) =>
    queries
      .insertInto("insight_topics")
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(["day", "topic", "instance", "name"]).doUpdateSet((set) => ({
          count: set("insight_topics.count", "+", set.ref("excluded.count")),
        })),
      )
      .execute(),
  );
}

/** Forgets what is older than it is kept. */
async function sweep(queries: Queries, today: number): Promise<void> {
  const oldest = today - keptDays;
  await forgetLines(queries, oldest);
  await queries.deleteFrom("insight_topics").where("day", "<", oldest).execute();
  await queries
    .deleteFrom("insight_gaps")
    .where("until", "<", oldest * 86_400_000)
    .execute();
}

/** Databases take a limited number of values in a statement. */
async function workInChunks<Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += chunk) {
    await work(items.slice(from, from + chunk));
  }
}

const chunk = 500;
