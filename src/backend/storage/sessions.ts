import { parseJson } from "../../json/values.ts";
import { type CompiledQuery, type Kysely, type RawBuilder, sql, type Selectable } from "kysely";
import type { BackendDatabase, Tables } from "./tables/database.ts";
import {
  type HistoryItem,
  historyItem,
  type Session,
  session as sessionSchema,
  type SessionStore,
  type StorageLimits,
} from "./types.ts";
import type { z } from "zod";
import type { SessionTable } from "./tables/conversations.ts";

/** Stores conversations in a database. A row that cannot be parsed counts as missing. */
export function createSessions(
  database: BackendDatabase,
  limits: Pick<StorageLimits, "sessions" | "history">,
): SessionStore {
  const { kysely } = database;
  // Counting is slow, so sessions are counted once per this many new ones.
  const interval = Math.floor(limits.sessions / 100);
  const deleteExcess = deleteAbove(limits.sessions - interval);
  let created = interval;
  return {
    async create(session) {
      const { key, project, expires } = session;
      const row = { key, project, expires, document: JSON.stringify(session) };
      await kysely.insertInto("sessions").values(row).execute();
      created += 1;
      if (created <= interval) return;
      created = 0;
      await deleteExcess.execute(kysely);
    },
    async read(key, now) {
      const row = await kysely
        .selectFrom("sessions")
        .selectAll()
        .where("key", "=", key)
        .where("expires", ">", now)
        .executeTakeFirst();
      return row === undefined ? null : parseSession(row);
    },
    replace: (session, history) => save(session, history, session.revision),
    async write(session, history) {
      await save(session, history, null);
    },
    async prolong(key, expires) {
      await kysely.updateTable("sessions").set({ expires }).where("key", "=", key).execute();
    },
    async history(key) {
      const rows = await kysely
        .selectFrom("history")
        .select("item")
        .where("session", "=", key)
        .orderBy("id")
        .execute();
      return rows.flatMap(({ item }) => parseHistoryItem(item) ?? []);
    },
    async sweep(now) {
      const expired = sql`WHERE expires <= ${now}`;
      const portion = deleteSessions(sql`${expired} ORDER BY expires LIMIT ${sql.lit(batchSize)}`);
      while ((await portion.execute(kysely)).numAffectedRows === BigInt(batchSize));
    },
  };

  /** Saves a session. Returns false if it is gone or its revision is not `expected` (null: any). */
  async function save(
    session: Session,
    history: readonly HistoryItem[],
    expected: string | null,
  ): Promise<boolean> {
    const { key, project, expires } = session;
    const revision = crypto.randomUUID();
    const update = kysely
      .updateTable("sessions")
      .set({ project, expires, document: JSON.stringify(session), revision })
      .where("key", "=", key)
      .$if(expected !== null, (query) => query.where("revision", "=", expected ?? ""));
    const historyQueries =
      history.length === 0
        ? []
        : [appendHistory(kysely, revision, key, history), trimHistory(kysely, key, limits.history)];
    const [written] = await database.batch([update.compile(), ...historyQueries] as const);
    return written.changes === 1;
  }
}

/** Adds items to the history, unless the session is gone or another request has changed it. */
function appendHistory(
  kysely: Kysely<Tables>,
  revision: string,
  key: string,
  history: readonly HistoryItem[],
): CompiledQuery {
  const items = history.map((item, index) => sql`(${sql.lit(index)}, ${JSON.stringify(item)})`);
  return sql`
    INSERT INTO history (session, item)
    SELECT sessions.key, added.column2
    FROM sessions, (VALUES ${sql.join(items)}) AS added
    WHERE sessions.key = ${key} AND sessions.revision = ${revision}
    ORDER BY added.column1
  `.compile(kysely);
}

function trimHistory(kysely: Kysely<Tables>, key: string, limit: number): CompiledQuery {
  return sql`
    DELETE FROM history WHERE session = ${key} AND id <= (
      SELECT id FROM history WHERE session = ${key} ORDER BY id DESC LIMIT 1 OFFSET ${limit}
    )
  `.compile(kysely);
}

/** Rows deleted in one statement, few enough not to delay others. */
const batchSize = 500;

/** Deletes the sessions that expire first, and with them those that have expired. */
function deleteAbove(most: number): RawBuilder<unknown> {
  return deleteSessions(sql`
    ORDER BY expires
    LIMIT (SELECT CASE WHEN count(*) > ${sql.lit(most)} THEN count(*) - ${sql.lit(most)} ELSE 0 END FROM sessions)
  `);
}

function deleteSessions(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`DELETE FROM sessions WHERE key IN (SELECT key FROM sessions ${which})`;
}

type SessionRow = Selectable<SessionTable>;

/** Parses a session's row. Returns null if it is damaged or of another version. */
function parseSession({ document, expires, revision }: SessionRow): Session | null {
  // Members of a newer release stay as they are.
  const found = parse(sessionSchema.loose(), document);
  return found === null ? null : { ...found, expires, revision };
}

/** Parses a history item. Returns null if it is damaged. */
function parseHistoryItem(text: string): HistoryItem | null {
  return parse(historyItem, text);
}

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  return schema.safeParse(parseJson(text)).data ?? null;
}
