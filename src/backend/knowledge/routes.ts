import { Hono } from "hono";
import { categoryRoutes } from "./category-routes.ts";
import { contentRoutes } from "./content-routes.ts";
import { crossSellingRoutes } from "./cross-selling-routes.ts";
import { dataRoutes } from "./data-routes.ts";
import { createLibrary } from "./library.ts";
import type { KnowledgeOptions } from "./options.ts";
import { searchRoutes } from "./search-routes.ts";
import { createSessions } from "./sessions.ts";
import { trackingRoutes } from "./tracking-routes.ts";
import { userQuestionRoutes } from "./user-question-routes.ts";
import type { Desk } from "./visit.ts";

const parts = [
  trackingRoutes,
  searchRoutes,
  contentRoutes,
  categoryRoutes,
  userQuestionRoutes,
  crossSellingRoutes,
  dataRoutes,
];

/** Knowledge (seed.md 6; knowledge.md), relative to `/v1` of the product. */
export function knowledgeRoutes(options: KnowledgeOptions): Hono {
  const { database, content, now } = options;
  const report = options.report ?? (() => undefined);
  const desk: Desk = {
    ...options,
    library: createLibrary({ content, database, now, report }),
    sessions: createSessions(options),
  };
  const routes = new Hono({ strict: false });
  for (const part of parts) routes.route("/", part(desk));
  return routes;
}
