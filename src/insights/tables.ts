import { type Generated, sql, type Transaction } from "kysely";
import type { Database } from "../storage/database.ts";
import { toColumnTypes, executeAll, type Migration } from "../storage/migrate.ts";
import { openMigrated } from "../storage/open-migrated.ts";
import type { LineCounts, LineKey } from "./facts.ts";

/** Times are milliseconds since the epoch, days are numbers of days since then, in UTC. */
export interface InsightsTables {
  /** Numbers the lines of instances, by language, channel and speaker. */
  insight_series: LineKey & { id: Generated<number> };
  insight_lines: LineCounts & { readonly series: number; readonly day: number };
  /** The sums of all languages and speakers, without contents. */
  insight_days: Pick<LineKey, "instance" | "line" | "channel"> &
    LineCounts & { readonly day: number };
  insight_topics: TopicTable;
  insight_open: OpenTable;
  insight_salts: { day: number; salt: string };
  insight_gaps: { since: number; until: number; why: string };
  insight_questions: QuestionTable;
  /** Records which conversation asked which question, with the salted hashes of two days. */
  insight_askers: { question: number; conversation: number; day: number };
  insight_writers: { writer: string; at: number };
  /** The first days of the weeks whose sums were sent, or are in `insight_events`. */
  insight_weeks: { week: number };
  insight_events: EventTable;
}

/** `name` is a reason, a language, a flag or a stage; `messages` has an empty one. */
interface TopicTable {
  day: number;
  topic: string;
  instance: string;
  name: string;
  count: number;
}

/** The lines of a conversation whose outcome is not known yet. */
interface OpenTable {
  /** Salted hash. */
  conversation: number;
  at: number;
  instance: string;
  /** JSON: the time, the instance, and language, channel, line and speaker of each. */
  said: string;
}

/**
 * A week whose sums are to be sent. `event` is its first day, such as 2026-11-16; `webhook` is 0, as
 * there is one address.
 */
interface EventTable {
  id: Generated<number>;
  webhook: number;
  event: string;
  attempts: number;
  due: number;
}

/** Questions that ask the same. */
export interface QuestionTable {
  id: number;
  instance: string;
  language: string;
  /** One of them, redacted, and when it was typed. */
  text: string;
  typed: number;
  /** Stems of its words, between blanks. */
  words: string;
  /** JSON: stems of all of them, and in how many conversations each was used. */
  used: string;
  line: string;
  speaker: LineKey["speaker"];
  asked: number;
  conversations: number;
  first: number;
  last: number;
  /** When its owner gave it an answer, and the id of the content. */
  answered: number | null;
  content: number | null;
  /** 1: an owner has said that it is not for the bot. */
  dismissed: number;
  /** 1: a demo asked it, and no reader. */
  demo: number;
}

export type InsightsDatabase = Database<InsightsTables>;

/** Its name in the folder of the configuration's `data`. */
export const INSIGHTS_FILE = "insights.db";

/**
 * Opens the database of insights, made when there is none.
 *
 * @param address a SQLite file, or `postgres://…`
 * @throws AfterwordError `data-directory-unusable`, `database-unusable`
 */
export async function openInsightsDatabase(address: string): Promise<InsightsDatabase> {
  return openMigrated<InsightsTables>(address, { migrations: [first] });
}

/**
 * Passes values to a statement as one JSON text, which is a table with a column `value` there.
 * However many they are, the statement stays the same, and is prepared once.
 */
export function rowsOf(values: readonly unknown[], dialect: InsightsDatabase["dialect"]) {
  const text = JSON.stringify(values);
  return dialect === "postgres"
    ? sql`json_array_elements(${text}::json) AS rows (value)`
    : sql`json_each(${text})`;
}

/** SQLite has one writer at a time; in PostgreSQL, the transactions of all processes take turns. */
export async function takeTurns(
  queries: Transaction<InsightsTables>,
  dialect: InsightsDatabase["dialect"],
): Promise<void> {
  if (dialect !== "postgres") return;
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(queries);
}

/** Any number that nobody else in the same database uses. */
const advisoryLock = 7_236_251_402;

const first: Migration = {
  name: "insights-0001-first-release-8",
  async up(database, dialect) {
    const { integer, identity, strict } = toColumnTypes(dialect);
    // Rows are stored in the order of their key, so that a sum of a series reads its days in
    // sequence.
    const ordered = dialect === "sqlite" ? sql`STRICT, WITHOUT ROWID` : sql``;
    // Most rows are counts of one series on one day, for which PostgreSQL's `integer` of four bytes is large enough.
    const counts = sql`
      said integer NOT NULL, answered integer NOT NULL, failed integer NOT NULL,
      clicked integer NOT NULL, "handedOver" integer NOT NULL, "ratedUp" integer NOT NULL,
      "ratedDown" integer NOT NULL, "left" integer NOT NULL, unknown integer NOT NULL
    `;
    await executeAll(database, [
      sql`CREATE TABLE insight_series (
        id ${identity}, instance text NOT NULL, language text NOT NULL, channel text NOT NULL,
        line text NOT NULL, speaker text NOT NULL,
        UNIQUE (instance, line, language, channel, speaker)
      ) ${strict}`,
      sql`CREATE TABLE insight_lines (
        series integer NOT NULL, day integer NOT NULL, ${counts}, PRIMARY KEY (series, day)
      ) ${ordered}`,
      sql`CREATE TABLE insight_days (
        day integer NOT NULL, instance text NOT NULL, line text NOT NULL, channel text NOT NULL,
        ${counts}, PRIMARY KEY (instance, day, line, channel)
      ) ${ordered}`,
      sql`CREATE TABLE insight_topics (
        day ${integer} NOT NULL, topic text NOT NULL, instance text NOT NULL, name text NOT NULL,
        count ${integer} NOT NULL, PRIMARY KEY (day, topic, instance, name)
      ) ${ordered}`,
      // A turn changes a row but no index.
      sql`CREATE TABLE insight_open (
        conversation ${integer} PRIMARY KEY, at ${integer} NOT NULL, instance text NOT NULL,
        said text NOT NULL
      ) ${strict}`,
      sql`CREATE TABLE insight_salts (day ${integer} PRIMARY KEY, salt text NOT NULL) ${strict}`,
      sql`CREATE TABLE insight_gaps (
        since ${integer} NOT NULL, until ${integer} NOT NULL, why text NOT NULL
      ) ${strict}`,
      sql`CREATE TABLE insight_questions (
        id ${integer} PRIMARY KEY, instance text NOT NULL, language text NOT NULL,
        text text NOT NULL, typed ${integer} NOT NULL, words text NOT NULL, used text NOT NULL,
        line text NOT NULL, speaker text NOT NULL, asked ${integer} NOT NULL,
        conversations ${integer} NOT NULL, "first" ${integer} NOT NULL, "last" ${integer} NOT NULL,
        answered ${integer}, content ${integer}, dismissed ${integer} NOT NULL,
        demo ${integer} NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX insight_questions_language
        ON insight_questions (instance, language, line, "last")`,
      sql`CREATE INDEX insight_questions_size
        ON insight_questions (instance, line, conversations, "last")`,
      sql`CREATE TABLE insight_askers (
        question ${integer} NOT NULL, conversation ${integer} NOT NULL, day ${integer} NOT NULL,
        PRIMARY KEY (question, conversation)
      ) ${ordered}`,
      // The time of the last write of each counting process.
      sql`CREATE TABLE insight_writers (
        writer text PRIMARY KEY, at ${integer} NOT NULL
      ) ${strict}`,
      sql`CREATE TABLE insight_weeks (week ${integer} PRIMARY KEY) ${strict}`,
      sql`CREATE TABLE insight_events (
        id ${identity}, webhook ${integer} NOT NULL, event text NOT NULL,
        attempts ${integer} NOT NULL, due ${integer} NOT NULL
      ) ${strict}`,
    ]);
  },
};
