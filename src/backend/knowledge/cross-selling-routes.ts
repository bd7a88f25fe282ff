import { Hono } from "hono";
import { crossSellingRequest, readRequest } from "../../api/knowledge/schema.ts";
import type { CrossSellingRequest } from "../../api/knowledge/schema.ts";
import type { ContentItem } from "../content/types.ts";
import { notFound } from "../refusal.ts";
import { crossSellingOf } from "./cross-selling.ts";
import { record } from "./recording.ts";
import { toCrossSelling } from "./records.ts";
import { pageOf } from "./results.ts";
import { shown } from "../shown.ts";
import { newLog } from "./tracking-codes.ts";
import { isListed, visibleOf, visiting } from "./visit.ts";
import type { Desk, Visit } from "./visit.ts";

/**
 * Cross-selling: contents that others offer beside themselves, by their attribute `CROSS_SELLING`.
 * An item has the id of the content that is offered.
 */
export function crossSellingRoutes(desk: Desk): Hono {
  const routes = new Hono({ strict: false });

  routes.get(
    "/cross-selling/search",
    visiting(desk, "knowledge.searchCrossSelling", crossSellingRequest, async (visit, request) => {
      const items = visibleOf(offered(visit, request), visit);
      const { results, hasMore } = pageOf(items, request);
      const log = newLog(desk.random);
      if (request.tracking) {
        await record(desk, visit, {
          type: "cross_selling_search",
          log,
          query: request.query ?? null,
          content: request.contentId ?? null,
          found: items.length,
          data: { results: results.map(({ id }) => id) },
        });
      }
      return Response.json({
        results: results.map((item) => toCrossSelling(item, visit, desk, log)),
        hasMore,
      });
    }),
  );
  routes.get(
    "/cross-selling/:id",
    visiting(desk, "knowledge.crossSelling", readRequest, async (visit, { tracking }) => {
      const item = itemOf(visit);
      const log = newLog(desk.random);
      if (tracking) {
        const event = { type: "click_cross_selling", log, content: item.id, clicked: true };
        await record(desk, visit, event);
      }
      return Response.json({ results: [toCrossSelling(item, visit, desk, log)] });
    }),
  );
  return routes;
}

/** What is offered beside the contents that a query finds, beside one content, or anywhere. */
function offered(visit: Visit, { query, contentId }: CrossSellingRequest): readonly number[] {
  const { catalog, shelf, audience } = visit;
  if (contentId !== undefined) return beside(visibleOf([contentId], visit));
  if (query === undefined) return beside(catalog.items.filter((item) => isListed(item, visit)));
  const found = shelf.answers(query, audience).map(({ id }) => id);
  return beside(visibleOf(found, visit));
}

function beside(items: readonly ContentItem[]): readonly number[] {
  return [...new Set(items.flatMap(crossSellingOf))];
}

/** The item that the path names. Throws 404, also for a content that is offered nowhere. */
function itemOf(visit: Visit): ContentItem {
  const id = visit.c.req.param("id") ?? "";
  const known = /^\d{1,15}$/.test(id) && visit.catalog.offeredBeside.has(Number(id));
  const [item] = known ? visibleOf([Number(id)], visit) : [];
  if (item === undefined) throw notFound(`cross-selling item ${shown(id)}`);
  return item;
}
