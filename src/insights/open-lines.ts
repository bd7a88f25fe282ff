import { type CompiledQuery, sql, type Transaction } from "kysely";
import { type ExpiredLine, leftAfter, maxTaken, type OpenLine } from "./batch.ts";
import { type StoredConversation, toLines, toStored } from "./stored-lines.ts";
import type { HashesOf } from "./hashes.ts";
import { type InsightsDatabase, type InsightsTables, rowsOf } from "./tables.ts";

type Queries = Transaction<InsightsTables>;
type OpenRow = InsightsTables["insight_open"];
type Dialect = InsightsDatabase["dialect"];

/** Lines whose outcome is not known yet, as the store has them. */
export interface StoredLines {
  /** By conversation, as facts name it. */
  readonly lines: ReadonlyMap<string, readonly OpenLine[]>;
  /** The salted hashes that they are kept under. */
  readonly hashes: ReadonlySet<number>;
}

/**
 * Reads the open lines of conversations.
 *
 * @param hashesOf the names under which a conversation may be kept now
 */
export async function readOpen(
  queries: Queries,
  conversations: readonly string[],
  hashesOf: HashesOf,
  dialect: Dialect,
): Promise<StoredLines> {
  const byHash = new Map<number, string>();
  for (const conversation of conversations) {
    for (const hash of hashesOf(conversation)) byHash.set(hash, conversation);
  }
  const lines = new Map<string, readonly OpenLine[]>();
  const hashes = new Set<number>();
  if (byHash.size === 0) return { lines, hashes };
  // One text comes out of the database faster than a row of each.
  const all =
    dialect === "postgres"
      ? sql<string | null>`json_agg(json_build_array(conversation, said::json))::text`
      : sql<string>`json_group_array(json_array(conversation, json(said)))`;
  const {
    rows: [found],
  } = await sql<{ all: string | null }>`
    SELECT ${all} AS "all" FROM insight_open WHERE ${isAmong(byHash.keys(), dialect)}
  `.execute(queries);
  const stored: readonly (readonly [number, StoredConversation])[] = JSON.parse(found?.all ?? "[]");
  for (const [hash, conversationLines] of stored) {
    const conversation = byHash.get(hash) ?? "";
    hashes.add(hash);
    lines.set(conversation, [...(lines.get(conversation) ?? []), ...toLines(conversationLines)]);
  }
  return { lines, hashes };
}

/** Compiles the statements that replace the open lines that were read. */
export function compileOpen(
  queries: Queries,
  open: ReadonlyMap<string, readonly OpenLine[]>,
  stored: StoredLines,
  hashesOf: HashesOf,
  dialect: Dialect,
): readonly CompiledQuery[] {
  const gone = new Set(stored.hashes);
  const kept = [...open].map(([conversation, lines]) => {
    const [hash] = hashesOf(conversation);
    gone.delete(hash);
    const said = toStored(lines);
    const [at, instance] = said;
    return [hash, at, instance, said];
  });
  const forget = sql`DELETE FROM insight_open WHERE ${isAmong(gone, dialect)}`;
  const keep = sql`
    INSERT INTO insight_open (conversation, at, instance, said)
    SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS bigint), value ->> 2, value ->> 3
    FROM ${rowsOf(kept, dialect)} WHERE true
    ON CONFLICT (conversation) DO UPDATE SET at = excluded.at, said = excluded.said
  `;
  return [
    ...(gone.size > 0 ? [forget.compile(queries)] : []),
    ...(kept.length > 0 ? [keep.compile(queries)] : []),
  ];
}

/**
 * Takes lines whose readers were silent for too long, and the oldest of too many. Nobody will know
 * what became of these. At most {@link maxTaken} of each are taken, because reading more would block
 * the event loop; `isComplete` is false if some may be left.
 *
 * @param except hashes of conversations whose readers came back
 */
export async function takeExpired(
  queries: Queries,
  except: ReadonlySet<number>,
  now: number,
  most: number,
): Promise<{ readonly lines: readonly ExpiredLine[]; readonly isComplete: boolean }> {
  const silent = await queries
    .deleteFrom("insight_open")
    .where("conversation", "in", (open) =>
      open
        .selectFrom("insight_open")
        .select("conversation")
        // Lines with a future time are from before the clock was set back.
        .where((where) =>
          where.or([where("at", "<", now - leftAfter), where("at", ">", now + leftAfter)]),
        )
        .limit(maxTaken),
    )
    .returningAll()
    .execute();
  const tooMany = await takeTooMany(queries, most);
  const lines = [...silent, ...tooMany]
    .filter(({ conversation }) => !except.has(conversation))
    .flatMap((row) =>
      toLines(JSON.parse(row.said)).map((line): ExpiredLine => {
        return { line, outcome: line.at < now - leftAfter ? "left" : "unknown" };
      }),
    );
  return { lines, isComplete: silent.length < maxTaken && tooMany.length < maxTaken };
}

async function takeTooMany(queries: Queries, most: number): Promise<readonly OpenRow[]> {
  const { count } = await queries
    .selectFrom("insight_open")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count <= most) return [];
  return queries
    .deleteFrom("insight_open")
    .where("conversation", "in", (open) =>
      open
        .selectFrom("insight_open")
        .select("conversation")
        .orderBy("at")
        .limit(Math.min(count - most, maxTaken)),
    )
    .returningAll()
    .execute();
}

function isAmong(hashes: Iterable<number>, dialect: Dialect) {
  const number = dialect === "postgres" ? sql`CAST(value #>> '{}' AS bigint)` : sql`value`;
  return sql`conversation IN (SELECT ${number} FROM ${rowsOf([...hashes], dialect)})`;
}
