import { Hono } from "hono";
import { newQueue, workTimetable } from "../../api/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { bodyBy, handling } from "../handling.ts";
import { createQueue, listQueues } from "./queues.ts";
import { readTimetable, writeTimetable } from "./timetable.ts";

/** Queues and the hours in which people work on them. */
export function settingsRoutes(options: TicketingOptions): Hono {
  const { database, now } = options;
  const routes = new Hono({ strict: false });

  routes.get(
    "/queues",
    handling(options, "ticketing.queues", async ({ project }) =>
      Response.json({ data: await listQueues(database.kysely, project), hasMore: false }),
    ),
  );
  routes.post(
    "/queues",
    handling(options, "ticketing.createQueue", async (asked) => {
      const { name } = await bodyBy(newQueue, asked, options);
      return Response.json({ uuid: await createQueue(database, asked.project, name, now()) });
    }),
  );
  routes.get(
    "/settings/work-timetable",
    handling(options, "ticketing.workTimetable", async ({ project }) =>
      Response.json(await readTimetable(database, project)),
    ),
  );
  routes.put(
    "/settings/work-timetable",
    handling(options, "ticketing.setWorkTimetable", async (asked) => {
      const timetable = await bodyBy(workTimetable, asked, options);
      await writeTimetable(database, asked.project, timetable);
      return Response.json(timetable);
    }),
  );
  return routes;
}
