import { workTimetable } from "../../api/ticketing/schema.ts";
import type { WorkTimetable } from "../../api/ticketing/types.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";

const name = "work-timetable";

/** Hours of a project's queues; none until somebody sets them. */
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
