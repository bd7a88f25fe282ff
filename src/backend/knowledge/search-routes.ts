import { Hono } from "hono";
import { searchRequest } from "../../api/knowledge/schema.ts";
import type { FoundContent, SearchAnswer } from "../../api/knowledge/answers.ts";
import type { SearchRequest } from "../../api/knowledge/schema.ts";
import { Refusal } from "../refusal.ts";
import { record, newLog, writeCode } from "./recording.ts";
import { toContent } from "./records.ts";
import { createSearch } from "./search.ts";
import type { Found } from "./search.ts";
import { visiting } from "./visit.ts";
import type { Desk, Visit } from "./visit.ts";

/** POST /search and POST /generate-answer. */
export function searchRoutes(desk: Desk): Hono {
  const search = createSearch();
  const routes = new Hono({ strict: false });

  const answer = async (visit: Visit, request: SearchRequest): Promise<SearchAnswer> => {
    const { found, parts } = search(visit, request);
    const log = newLog(desk.random);
    if (request.tracking) await recordSearch(desk, visit, request, found, log);
    const tracking = { searchCode: writeCode({ type: "search", log }) };
    const results = found.map((one) => toFound(one, visit, desk, log));
    if (results.length === 0 && (desk.emptySearch ?? 404) === 404) {
      throw new Refusal(404, "No content matches the query.", { results, tracking });
    }
    return { results, tracking, ...(parts !== null && { parts }) };
  };

  routes.post(
    "/search",
    visiting(desk, "knowledge.search", searchRequest, async (visit, request) =>
      Response.json(await answer(visit, request)),
    ),
  );
  routes.post(
    "/generate-answer",
    visiting(desk, "knowledge.generateAnswer", searchRequest, async (visit, request) => {
      const answered = await answer(visit, request);
      const text = answered.results[0]?.attributes["ANSWER_TEXT"] ?? "";
      return Response.json({ answer: text, ...answered });
    }),
  );
  return routes;
}

/** One event per search; one with a single result also counts as its click (knowledge.md 5). */
async function recordSearch(
  desk: Desk,
  visit: Visit,
  { query, type }: SearchRequest,
  found: readonly Found[],
  log: string,
): Promise<void> {
  const instant = type?.trim().toLowerCase() === "instant";
  const [only, ...others] = found;
  const sole = !instant && only !== undefined && others.length === 0;
  await record(desk, visit, {
    type: instant ? "instant_search" : "search",
    log,
    query,
    found: found.length,
    content: sole ? only.item.id : null,
    clicked: sole,
    data: { results: found.map(({ item, score }) => ({ id: item.id, score })) },
  });
}

function toFound(
  { item, score, details }: Found,
  visit: Visit,
  desk: Desk,
  log: string,
): FoundContent {
  const { titleHighlight, matchingDetails, abstract } = details;
  return {
    ...toContent(item, visit, desk, log),
    score,
    titleHighlight,
    matchingDetails,
    ...(abstract !== null && { dynamicAbstract: abstract }),
  };
}
