import { Hono } from "hono";
import { newWebhook, paging } from "../../api/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { bodyBy, handling, queryBy } from "../handling.ts";
import { pageBounds, toPage } from "../paging.ts";
import { changeWebhook, createWebhook, listWebhooks, removeWebhook } from "./webhooks.ts";

/** Addresses that are told about changes. */
export function webhookRoutes(options: TicketingOptions): Hono {
  const { database } = options;
  const routes = new Hono({ strict: false });

  routes.post(
    "/webhooks",
    handling(options, "ticketing.createWebhook", async (asked) => {
      const webhook = await bodyBy(newWebhook, asked, options);
      return Response.json(await createWebhook(options, asked.project, webhook));
    }),
  );
  routes.get(
    "/webhooks",
    handling(options, "ticketing.webhooks", async (asked) => {
      const { length, limit, offset } = pageBounds(queryBy(paging, asked));
      const rows = await listWebhooks(database.kysely, asked.project, limit, offset);
      return Response.json(toPage(rows, length));
    }),
  );
  routes.put(
    "/webhooks/:id",
    handling(options, "ticketing.changeWebhook", async (asked) => {
      const webhook = await bodyBy(newWebhook, asked, options);
      const id = asked.c.req.param("id") ?? "";
      return Response.json(await changeWebhook(options, asked.project, id, webhook));
    }),
  );
  routes.delete(
    "/webhooks/:id",
    handling(options, "ticketing.removeWebhook", async ({ c, project }) => {
      await removeWebhook(options, project, c.req.param("id") ?? "");
      return Response.json({ success: true });
    }),
  );
  return routes;
}
