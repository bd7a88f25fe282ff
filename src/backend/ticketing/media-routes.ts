import { Hono } from "hono";
import { newMedia } from "../../api/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { downloadOf } from "../download.ts";
import { bodyBy, handling } from "../handling.ts";
import { answersFor } from "./public-caller.ts";
import { readContent, readMedia, storeMedia } from "./media.ts";

/** POST /media, and GET of what is known of a file and of the file itself. */
export function mediaRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.post(
    "/media",
    handling(options, "ticketing.upload", async (asked) =>
      Response.json(
        await storeMedia(
          answersFor(options, asked),
          asked.project,
          await bodyBy(newMedia, asked, options),
        ),
      ),
    ),
  );

  routes.get(
    "/media/:id",
    handling(options, "ticketing.media", async ({ c, project }) =>
      Response.json(await readMedia(options, project, c.req.param("id") ?? "")),
    ),
  );

  routes.get(
    "/media/:id/content",
    handling(options, "ticketing.download", async ({ c, project }) => {
      const { media, data } = await readContent(options, project, c.req.param("id") ?? "");
      return downloadOf(media, data);
    }),
  );

  return routes;
}
