import { sql } from "kysely";
import type { BackendDatabase } from "./tables/database.ts";
import type { EventStore, StorageLimits } from "./types.ts";

/** Reported events in a database. */
export function createEvents(
  database: BackendDatabase,
  limits: Pick<StorageLimits, "events">,
): EventStore {
  const { kysely } = database;
  // Ids grow by one, so the newest id tells which are too many.
  const forget = sql`
    DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ${sql.lit(limits.events)}
  `.compile(kysely);
  return {
    async append({ at, project, session, type, data }) {
      const insert = kysely.insertInto("events").values({ at, project, session, type, data });
      await database.batch([insert.compile(), forget]);
    },
    async latest(limit) {
      const rows = await kysely
        .selectFrom("events")
        .select(["at", "project", "session", "type", "data"])
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.toReversed();
    },
  };
}
