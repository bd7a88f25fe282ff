import { type CompiledQuery, type Kysely, sql } from "kysely";
import type { DatabaseHandle } from "./database-handle.ts";
import { createRoom } from "./room.ts";
import { parseHistoryItem, parseSession } from "./stored.ts";
import type { Database } from "./tables/database.ts";
import type { HistoryItem, SessionStore, StorageLimits } from "./types.ts";

/** Conversations in a database. A row that does not read back as what was written is as good as gone. */
export async function createSessions(
  database: DatabaseHandle,
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
    async write(session, said) {
      const { key, project, expires } = session;
      const update = kysely
        .updateTable("sessions")
        .set({ project, expires, document: JSON.stringify(session) })
        .where("key", "=", key);
      if (said.length === 0) await update.execute();
      else {
        const further = [append(kysely, key, said), forget(kysely, key, limits.history)];
        await database.batch([update.compile(), ...further]);
      }
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
}

/** Adds nothing to a session that is gone. */
function append(
  kysely: Kysely<Database>,
  key: string,
  said: readonly HistoryItem[],
): CompiledQuery {
  const items = said.map((item, index) => sql`(${sql.lit(index)}, ${JSON.stringify(item)})`);
  return sql`
    INSERT INTO history (session, item)
    SELECT sessions.key, said.column2
    FROM sessions, (VALUES ${sql.join(items)}) AS said
    WHERE sessions.key = ${key}
    ORDER BY said.column1
  `.compile(kysely);
}

function forget(kysely: Kysely<Database>, key: string, limit: number): CompiledQuery {
  return sql`
    DELETE FROM history WHERE session = ${key} AND id <= (
      SELECT id FROM history WHERE session = ${key} ORDER BY id DESC LIMIT 1 OFFSET ${limit}
    )
  `.compile(kysely);
}
