import { Hono } from "hono";
import { paging, treeRequest } from "../../api/knowledge/schema.ts";
import { notFound } from "../refusal.ts";
import { categoryTree, counted, ROOT } from "./category-tree.ts";
import { contentsPage } from "./results.ts";
import { shown } from "../shown.ts";
import { isListed, visiting } from "./visit.ts";
import type { Desk, Visit } from "./visit.ts";

/** Categories, as a flat list with parents and children. */
export function categoryRoutes(desk: Desk): Hono {
  const routes = new Hono({ strict: false });

  routes.get(
    "/categories",
    visiting(desk, "knowledge.categories", treeRequest, async (visit, { maxDepth }) =>
      answer(visit, ROOT, maxDepth),
    ),
  );
  routes.get(
    "/categories/slug/:slug",
    visiting(desk, "knowledge.categoryBySlug", treeRequest, async (visit, { maxDepth }) => {
      const slug = visit.c.req.param("slug") ?? "";
      const id = categoryTree(visit.catalog).bySlug(slug);
      if (id === null) throw notFound(`category with the slug ${shown(slug)}`);
      return answer(visit, id, maxDepth);
    }),
  );
  routes.get(
    "/categories/:id",
    visiting(desk, "knowledge.category", treeRequest, async (visit, { maxDepth }) =>
      answer(visit, categoryOf(visit), maxDepth),
    ),
  );
  routes.get(
    "/categories/:id/contents",
    visiting(desk, "knowledge.categoryContents", paging, async (visit, request) => {
      const id = categoryOf(visit);
      const items = visit.catalog.items.filter(
        (item) =>
          isListed(item, visit) &&
          (id === ROOT ? item.categories.length === 0 : item.categories.includes(id)),
      );
      return contentsPage(items, visit, desk, request);
    }),
  );
  return routes;
}

/** The category that the path names. Throws 404. */
function categoryOf({ c, catalog }: Visit): number {
  const id = c.req.param("id") ?? "";
  if (/^\d{1,15}$/.test(id) && categoryTree(catalog).has(Number(id))) return Number(id);
  throw notFound(`category ${shown(id)}`);
}

function answer(visit: Visit, id: number, maxDepth: number): Response {
  const tree = categoryTree(visit.catalog);
  const items = visit.catalog.items.filter((item) => isListed(item, visit));
  return Response.json({ results: counted(tree.below(id, maxDepth), tree, items) });
}
