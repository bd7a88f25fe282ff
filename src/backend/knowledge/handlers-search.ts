import { searchRequest } from "../../api/knowledge/schema.ts";
import type { FoundContent, SearchAnswer } from "../../api/knowledge/answers.ts";
import type { SearchRequest } from "../../api/knowledge/schema.ts";
import { Refusal } from "../http/refusal.ts";
import { recordEvent, createLog, writeCode } from "./recording.ts";
import { toContent } from "./records.ts";
import { createKnowledgeSearch } from "./search.ts";
import type { FoundContentItem } from "./search.ts";
import { createKnowledgeHandler, type KnowledgeHandlers } from "./call.ts";
import type { KnowledgeService, KnowledgeCall } from "./call.ts";

export function createSearchHandlers(service: KnowledgeService) {
  const on = createKnowledgeHandler(service);
  const search = createKnowledgeSearch();
  const answer = async (call: KnowledgeCall, request: SearchRequest): Promise<SearchAnswer> => {
    const { found, parts } = search(call, request);
    const log = createLog(service.random);
    if (request.tracking) {
      // The reader needs only the results, so a failed write, such as on a full disk, does not fail
      // the search.
      await recordSearch(service, call, request, found, log).catch(service.report);
    }
    const tracking = { searchCode: writeCode({ type: "search", log }) };
    const results = found.map((one) => toFound(one, call, service, log));
    if (results.length === 0 && (service.emptySearch ?? 404) === 404) {
      throw new Refusal(404, "No content matches the query.", { results, tracking });
    }
    return { results, tracking, ...(parts !== null && { parts }) };
  };

  return {
    search: on(searchRequest, answer),
    generateAnswer: on(searchRequest, async (call, request) => {
      const answered = await answer(call, request);
      const text = answered.results[0]?.attributes["ANSWER_TEXT"] ?? "";
      return { answer: text, ...answered };
    }),
  } satisfies Partial<KnowledgeHandlers>;
}

/** One event per search; one with a single result also counts as its click (knowledge.md 5). */
async function recordSearch(
  service: KnowledgeService,
  call: KnowledgeCall,
  { query, type }: SearchRequest,
  found: readonly FoundContentItem[],
  log: string,
): Promise<void> {
  const instant = type?.trim().toLowerCase() === "instant";
  const [only, ...others] = found;
  const sole = !instant && only !== undefined && others.length === 0;
  await recordEvent(service, call, {
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
  { item, score, details }: FoundContentItem,
  call: KnowledgeCall,
  service: KnowledgeService,
  log: string,
): FoundContent {
  const { titleHighlight, matchingDetails, abstract } = details;
  return {
    ...toContent(item, call, service, log),
    score,
    titleHighlight,
    matchingDetails,
    ...(abstract !== null && { dynamicAbstract: abstract }),
  };
}
