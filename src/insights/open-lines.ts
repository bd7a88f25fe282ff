import { sql, type Transaction } from "kysely";
import { type ExpiredLine, leftAfter, type OpenLine } from "./batch.ts";
import type { Speaker } from "./facts.ts";
import { type InsightsDatabase, type InsightsTables, rowsOf } from "./tables.ts";

type Queries = Transaction<InsightsTables>;
type OpenRow = InsightsTables["insight_open"];

/** Lines whose outcome is not known yet, as the store has them. */
export interface StoredLines {
  /** By conversation, as facts name it. */
  readonly lines: ReadonlyMap<string, readonly OpenLine[]>;
  /** The salted hashes that they are kept under. */
  readonly hashes: ReadonlySet<string>;
}

/**
 * Reads the open lines of conversations.
 *
 * @param hashesOf the names under which a conversation may be kept now
 */
export async function readOpen(
  queries: Queries,
  conversations: readonly string[],
  hashesOf: (conversation: string) => readonly string[],
  dialect: InsightsDatabase["dialect"],
): Promise<StoredLines> {
  const byHash = new Map<string, string>();
  for (const conversation of conversations) {
    for (const hash of hashesOf(conversation)) byHash.set(hash, conversation);
  }
  if (byHash.size === 0) return { lines: new Map(), hashes: new Set() };
  const asked = rowsOf([...byHash.keys()], dialect);
  const { rows } = await sql<OpenRow>`
    SELECT * FROM insight_open WHERE conversation IN (SELECT ${textOf(dialect)} FROM ${asked})
  `.execute(queries);
  const lines = new Map<string, readonly OpenLine[]>();
  for (const row of rows) {
    const conversation = byHash.get(row.conversation) ?? "";
    lines.set(conversation, [...(lines.get(conversation) ?? []), ...linesIn(row)]);
  }
  return { lines, hashes: new Set(rows.map(({ conversation }) => conversation)) };
}

/** Puts open lines in the place of those that were read. */
export async function keepOpen(
  queries: Queries,
  open: ReadonlyMap<string, readonly OpenLine[]>,
  stored: StoredLines,
  hashOf: (conversation: string) => string,
  dialect: InsightsDatabase["dialect"],
): Promise<void> {
  const gone = new Set(stored.hashes);
  const rows = [...open].map(([conversation, lines]) => {
    const hash = hashOf(conversation);
    gone.delete(hash);
    const said = lines.map(({ language, channel, line, speaker }) => {
      return [language, channel, line, speaker];
    });
    return [hash, lines[0]?.at, lines[0]?.instance, said];
  });
  if (gone.size > 0) {
    const some = rowsOf([...gone], dialect);
    await sql`
      DELETE FROM insight_open WHERE conversation IN (SELECT ${textOf(dialect)} FROM ${some})
    `.execute(queries);
  }
  if (rows.length === 0) return;
  await sql`
    INSERT INTO insight_open (conversation, at, instance, said)
    SELECT value ->> 0, CAST(value ->> 1 AS bigint), value ->> 2, value ->> 3
    FROM ${rowsOf(rows, dialect)} WHERE true
    ON CONFLICT (conversation) DO UPDATE SET at = excluded.at, said = excluded.said
  `.execute(queries);
}

/**
 * Takes lines whose readers were silent for too long, and the oldest of too many. Nobody will know
 * what became of these.
 *
 * @param except hashes of conversations whose readers came back
 */
export async function takeExpired(
  queries: Queries,
  except: ReadonlySet<string>,
  now: number,
  most: number,
): Promise<readonly ExpiredLine[]> {
  const silent = await queries
    .deleteFrom("insight_open")
    .where((where) =>
      // Lines of the future were said before the clock was set back.
      where.or([where("at", "<", now - leftAfter), where("at", ">", now + leftAfter)]),
    )
    .returningAll()
    .execute();
  const rows = [...silent, ...(await takeTooMany(queries, most))];
  return rows
    .filter(({ conversation }) => !except.has(conversation))
    .flatMap((row) =>
      linesIn(row).map((line): ExpiredLine => {
        return { line, outcome: line.at < now - leftAfter ? "left" : "unknown" };
      }),
    );
}

async function takeTooMany(queries: Queries, most: number): Promise<readonly OpenRow[]> {
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
  return queries.deleteFrom("insight_open").where("at", "<=", bound.at).returningAll().execute();
}

function linesIn({ at, instance, said }: OpenRow): readonly OpenLine[] {
  const lines: readonly (readonly [string, string, string, Speaker])[] = JSON.parse(said);
  return lines.map(([language, channel, line, speaker]) => {
    return { at, instance, language, channel, line, speaker };
  });
}

/** The text of a value that is one. */
function textOf(dialect: InsightsDatabase["dialect"]) {
  return dialect === "postgres" ? sql`value #>> '{}'` : sql`value`;
}
