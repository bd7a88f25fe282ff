import type { Transaction } from "kysely";
import { sql } from "kysely";
import { toStorable } from "../storage/storable.ts";
import {
  countFacts,
  type Counted,
  createNameLimit,
  dayOf,
  type HashedFact,
  keptDays,
  leftAfter,
  mostOpenLines,
  type OpenLine,
} from "./batch.ts";
import type { Fact, Outcome } from "./facts.ts";
import type { Gap } from "./gaps.ts";
import { createHashes, type HashesOf } from "./hashes.ts";
import { addQuestions, sweepQuestions } from "./question-store.ts";
import { type KeptQuestions, readAsked } from "./questions.ts";
import { type LanguageOfContents, readShownContents } from "./shown-contents.ts";
import type { InsightsDatabase, InsightsTables, OpenLineTable } from "./tables.ts";
import { forgetWriter, noteWriter } from "./writers.ts";

export interface InsightsStore {
  /**
   * Counts a batch in one transaction: all of it, or nothing. Processes take turns.
   *
   * @returns the outcomes that are known now
   */
  write(facts: readonly Fact[], gaps: readonly Gap[], now: number): Promise<Counted["outcomes"]>;
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
  const names = createNameLimit();
  let sweptDay = Number.NaN;

  return {
    async close() {
      try {
        await forgetWriter(database, writer);
      } finally {
        await database.close();
      }
    },
    async write(facts, gaps, now) {
      const today = dayOf(now);
      const shown = await readShownContents(facts, languageOfContents);
      const asked = questions === null ? [] : await readAsked(facts, shown, questions);
      const counted = await database.transaction(async (queries) => {
        await takeTurns(queries, database.dialect);
        const hashesOf = await createHashes(queries, options, now);
        const hashed = facts.map((fact) => {
          const contents = shown.get(fact)?.lines;
          return { fact, conversation: conversationOf(fact, options), contents };
        });
        const before = await takeOpen(queries, hashed, hashesOf, database.dialect);
        // A reader who came back in time is in these facts.
        const expired = [
          ...(await takeExpired(queries, now)),
          ...(await takeTooMany(queries, mostOpen)),
        ];
        const result = countFacts(hashed, before, expired, names);
        await addLines(queries, result.lines);
        await addTopics(queries, result.topics);
        await keepOpen(queries, result.open, hashesOf, database.dialect);
        const ended = await noteWriter(queries, writer, now);
        await workInChunks([...gaps, ...ended], (some) =>
          queries.insertInto("insight_gaps").values(some).execute(),
        );
        if (questions !== null) {
          const known = asked.map((one) => ({
            ...one,
            hashes: one.session === null ? [] : hashesOf(keyOf(one.instance, one.session, options)),
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
      return counted.outcomes;
    },
  };
}

function conversationOf(fact: Fact, options: StoreOptions): string | null {
  if (fact.kind === "hand-over") return fact.conversation;
  return fact.session === null ? null : keyOf(fact.instance, fact.session, options);
}

/** As escalation records are named. */
function keyOf(instance: string, session: string, { digest }: StoreOptions): string {
  return digest(`${instance}\n${session}`);
}

type Queries = Transaction<InsightsTables>;

/** SQLite gives a transaction the file alone; in PostgreSQL those of all processes take turns. */
async function takeTurns(queries: Queries, dialect: InsightsDatabase["dialect"]): Promise<void> {
  if (dialect !== "postgres") return;
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(queries);
}

/** Any number that nobody else in the same database uses. */
const advisoryLock = 7_236_251_402;

interface Expired {
  readonly line: OpenLine;
  readonly outcome: "left" | "unknown";
}

async function takeExpired(queries: Queries, now: number): Promise<readonly Expired[]> {
  const rows = await queries
    .deleteFrom("insight_open")
    .where((where) =>
      // Lines of the future were said before the clock was set back.
      where.or([where("at", "<", now - leftAfter), where("at", ">", now + leftAfter)]),
    )
    .returningAll()
    .execute();
  return rows.map((line) => ({ line, outcome: line.at > now ? "unknown" : "left" }));
}

/** Takes the oldest of too many open lines. Nobody will know what became of them. */
async function takeTooMany(queries: Queries, most: number): Promise<readonly Expired[]> {
  const { count } = await queries
    .selectFrom("insight_open")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count <= most) return [];
  const bound = await queries
    .selectFrom("insight_open")
    .select("at")
    .orderBy("at")
    .offset(count - most - 1)
    .limit(1)
    .executeTakeFirstOrThrow();
  const rows = await queries
    .deleteFrom("insight_open")
    .where("at", "<=", bound.at)
    .returningAll()
    .execute();
  return rows.map((line) => ({ line, outcome: "unknown" }));
}

/** Takes the open lines of the facts' conversations out of the store. */
async function takeOpen(
  queries: Queries,
  facts: readonly HashedFact[],
  hashesOf: HashesOf,
  dialect: InsightsDatabase["dialect"],
): Promise<ReadonlyMap<string, readonly OpenLine[]>> {
  const byHash = new Map<string, string>();
  for (const { conversation } of facts) {
    if (conversation === null) continue;
    for (const hash of hashesOf(conversation)) byHash.set(hash, conversation);
  }
  const hashes = rowsOf(
    [...byHash.keys()].map((hash) => [hash]),
    dialect,
  );
  const { rows } = await sql<OpenLineTable>`
    DELETE FROM insight_open WHERE conversation IN (SELECT value ->> 0 FROM ${hashes}) RETURNING *
  `.execute(queries);
  return Map.groupBy(rows, ({ conversation }) => byHash.get(conversation) ?? "");
}

async function keepOpen(
  queries: Queries,
  open: Counted["open"],
  hashesOf: HashesOf,
  dialect: InsightsDatabase["dialect"],
): Promise<void> {
  const rows = [...open].flatMap(([conversation, lines]) => {
    const [hash] = hashesOf(conversation);
    return lines.map(({ at, instance, language, channel, line, speaker }) => {
      return [hash, at, instance, toStorable(language), toStorable(channel), line, speaker];
    });
  });
  await sql`
    INSERT INTO insight_open (conversation, at, instance, language, channel, line, speaker)
    SELECT value ->> 0, CAST(value ->> 1 AS bigint), value ->> 2, value ->> 3, value ->> 4,
      value ->> 5, value ->> 6
    FROM ${rowsOf(rows, dialect)}
  `.execute(queries);
}

/**
 * Passes rows of values to a statement as one JSON text, which is a table with a column `value`
 * there. However many they are, the statement stays the same, and is prepared once.
 */
function rowsOf(rows: readonly (readonly unknown[])[], dialect: InsightsDatabase["dialect"]) {
  const text = JSON.stringify(rows);
  return dialect === "postgres"
    ? sql`json_array_elements(${text}::json) AS rows (value)`
    : sql`json_each(${text})`;
}

const counts = [
  ...(["said", "answered", "failed", "clicked", "handedOver"] as const),
  ...(["ratedUp", "ratedDown", "left", "unknown"] as const),
] satisfies readonly ("said" | Outcome)[];

async function addLines(
  queries: Queries,
  rows: readonly InsightsTables["insight_lines"][],
): Promise<void> {
  await workInChunks(rows, (some) =>
    queries
      .insertInto("insight_lines")
      .values(some)
      .onConflict((conflict) =>
        conflict
          .columns(["day", "instance", "language", "channel", "line", "speaker"])
          .doUpdateSet((set) =>
            Object.fromEntries(
              counts.map((name) => [
                name,
                set(`insight_lines.${name}`, "+", set.ref(`excluded.${name}`)),
              ]),
            ),
          ),
      )
      .execute(),
  );
}

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
  await queries.deleteFrom("insight_lines").where("day", "<", oldest).execute();
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
