import { refuseFor } from "../http/refusal.ts";
import { sql } from "kysely";
import { toStorable } from "../../storage/storable.ts";
import { isUniqueViolation } from "../../storage/unique.ts";
import type { Queue } from "../../api/ticketing/answers.ts";
import type { WorkTimetable } from "../../api/ticketing/schema.ts";
import type { BackendDatabase, Queries } from "../storage/tables/database.ts";
import { queueEvent } from "./outbox.ts";
import { workTimetable } from "../../api/ticketing/schema.ts";

/** The queue that every project has. */
export const DEFAULT_QUEUE = 1;

/** Throws 422 for a queue that the project does not have. */
export async function requireQueue(queries: Queries, project: string, id: number): Promise<void> {
  if (id === DEFAULT_QUEUE) return;
  const queues = queries.selectFrom("queues").select("id").where("project", "=", project);
  if ((await queues.where("id", "=", id).executeTakeFirst()) !== undefined) return;
  throw refuseFor(422, "queue", `queue: there is no queue ${id}`);
}

export async function listQueues(queries: Queries, project: string): Promise<readonly Queue[]> {
  const rows = await queries
    .selectFrom("queues")
    .select(["id", "name"])
    .where("project", "=", project)
    .orderBy("id")
    .execute();
  const hasDefault = rows.some(({ id }) => id === DEFAULT_QUEUE);
  return hasDefault ? rows : [{ id: DEFAULT_QUEUE, name: "Default" }, ...rows];
}

/** Adds a queue with the project's next number. */
export async function createQueue(
  database: BackendDatabase,
  project: string,
  name: string,
  now: number,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.durable((queries) => insertQueue(queries, project, name, now));
    } catch (error) {
      // Another request took the number in the meantime.
      if (attempt === MAX_ATTEMPTS || !isUniqueViolation(error)) throw error;
    }
  }
}

const MAX_ATTEMPTS = 10;

async function insertQueue(
  queries: Queries,
  project: string,
  name: string,
  now: number,
): Promise<number> {
  const { id } = await queries
    .selectFrom("queues")
    .select(sql<number>`coalesce(max(id), ${sql.lit(DEFAULT_QUEUE)}) + 1`.as("id"))
    .where("project", "=", project)
    .executeTakeFirstOrThrow();
  await queries
    .insertInto("queues")
    .values({ project, id, name: toStorable(name) })
    .execute();
  await queueEvent(queries, project, now, { id, item: "queue", action: "add", actor: 0 });
  return id;
}

const name = "work-timetable";

/** Reads the working hours of a project's queues; none until they are set. */
export async function readTimetable(
  { kysely }: BackendDatabase,
  project: string,
): Promise<WorkTimetable> {
  const row = await kysely
    .selectFrom("project_settings")
    .select("value")
    .where("project", "=", project)
    .where("name", "=", name)
    .executeTakeFirst();
  return row === undefined
    ? { weeks: [], holidays: [] }
    : workTimetable.parse(JSON.parse(row.value));
}

export async function writeTimetable(
  { durable }: Pick<BackendDatabase, "durable">,
  project: string,
  timetable: WorkTimetable,
): Promise<void> {
  const value = JSON.stringify(timetable);
  await durable((queries) =>
    queries
      .insertInto("project_settings")
      .values({ project, name, value })
      .onConflict((conflict) => conflict.columns(["project", "name"]).doUpdateSet({ value }))
      .execute(),
  );
}
