import { Hono } from "hono";
import type { TicketingOptions } from "./context.ts";
import { mediaRoutes } from "./media-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { surveyRoutes } from "./survey-routes.ts";
import { ticketRoutes } from "./ticket-routes.ts";
import { userRoutes } from "./user-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";

const parts = [userRoutes, ticketRoutes, mediaRoutes, settingsRoutes, surveyRoutes, webhookRoutes];

/** Case management (seed.md 5; ticketing.md), relative to `/v1` of the product. */
export function ticketingRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });
  for (const part of parts) routes.route("/", part(options));
  return routes;
}
