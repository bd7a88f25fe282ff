import { type CompiledQuery, type Kysely, sql } from "kysely";
import type { BackendDatabase } from "./tables/database.ts";
import { createRoom } from "./room.ts";
import { parseHistoryItem, parseSession } from "./stored.ts";
import type { Tables } from "./tables/database.ts";
import type { HistoryItem, Session, SessionStore, StorageLimits } from "./types.ts";

/**
 * Conversations in a database. A row that does not read back as what was written is as good as
 * gone.
 */
export async function createSessions(
  database: BackendDatabase,
  limits: Pick<StorageLimits, "sessions" | "history">,
): Promise<SessionStore> {
  const { kysely } = database;
  const room = await createRoom(kysely, limits.sessions);
  return {
    async create(session, now) {
      const { key, project, expires } = session;
      const row = { key, project, expires, document: JSON.stringify(session) };
      await kysely.insertInto("sessions").values(row).execute();
      await room.added(now);
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
    replace: (session, said) => keep(session, said, session.revision),
    async write(session, said) {
      await keep(session, said, null);
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
    sweep: (now) => room.sweep(now),
  };

  /**
   * False when the session is gone, or has another revision than `expected`; null stands for any.
   */
  async function keep(
    session: Session,
    said: readonly HistoryItem[],
    expected: string | null,
  ): Promise<boolean> {
    const { key, project, expires } = session;
    const revision = crypto.randomUUID();
    const update = kysely
      .updateTable("sessions")
      .set({ project, expires, document: JSON.stringify(session), revision })
      .where("key", "=", key)
      .$if(expected !== null, (query) => query.where("revision", "=", expected ?? ""));
    const further =
      said.length === 0
        ? []
        : [append(kysely, revision, key, said), forget(kysely, key, limits.history)];
    const [written] = await database.batch([update.compile(), ...further] as const);
    return written.changes === 1;
  }
}

/** Adds nothing to a session that is gone, or that somebody else has written. */
function append(
  kysely: Kysely<Tables>,
  revision: string,
  key: string,
  said: readonly HistoryItem[],
): CompiledQuery {
  const items = said.map((item, index) => sql`(${sql.lit(index)}, ${JSON.stringify(item)})`);
  return sql`
    INSERT INTO history (session, item)
    SELECT sessions.key, said.column2
    FROM sessions, (VALUES ${sql.join(items)}) AS said
    WHERE sessions.key = ${key} AND sessions.revision = ${revision}
    ORDER BY said.column1
  `.compile(kysely);
}

function forget(kysely: Kysely<Tables>, key: string, limit: number): CompiledQuery {
  return sql`
    DELETE FROM history WHERE session = ${key} AND id <= (
      SELECT id FROM history WHERE session = ${key} ORDER BY id DESC LIMIT 1 OFFSET ${limit}
    )
  `.compile(kysely);
}
