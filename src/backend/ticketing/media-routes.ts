import { Hono } from "hono";
import { newMedia } from "../../wire/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { bodyBy, handling } from "../handling.ts";
import { readContent, readMedia, storeMedia } from "./media.ts";

/** POST /media, and GET of what is known of a file and of the file itself. */
export function mediaRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.post(
    "/media",
    handling(options, async (asked) =>
      Response.json(
        await storeMedia(options, asked.project, await bodyBy(newMedia, asked, options)),
      ),
    ),
  );

  routes.get(
    "/media/:id",
    handling(options, async ({ c, project }) =>
      Response.json(await readMedia(options, project, c.req.param("id") ?? "")),
    ),
  );

  routes.get(
    "/media/:id/content",
    handling(options, async ({ c, project }) => {
      const { media, data } = await readContent(options, project, c.req.param("id") ?? "");
      return new Response(Uint8Array.from(data), {
        headers: {
          "content-type": media.type,
          "content-disposition": `attachment; filename*=UTF-8''${encodeRfc5987(media.name)}`,
          // A file that somebody sent in is never run in a browser, whatever it is.
          "content-security-policy": "sandbox; default-src 'none'",
          "x-content-type-options": "nosniff",
          "cache-control": "private, no-store",
        },
      });
    }),
  );

  return routes;
}

/** A file name as a header carries it (RFC 8187, 3.2). */
function encodeRfc5987(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
