import type { Paging } from "../../api/knowledge/schema.ts";
import type { KnowledgeContent } from "../../api/knowledge/types.ts";
import type { ContentItem } from "../content/types.ts";
import { toContent } from "./records.ts";
import { newLog } from "./tracking-codes.ts";
import type { Desk, Visit } from "./visit.ts";

/** Records of one page unless the caller names another number. */
const USUAL = 50;

export interface Page<T> {
  readonly results: readonly T[];
  readonly hasMore: boolean;
}

/** One page of a list. */
export function pageOf<T>(all: readonly T[], { length = USUAL, offset = 0 }: Paging): Page<T> {
  return { results: all.slice(offset, offset + length), hasMore: offset + length < all.length };
}

/** One page of contents, as an answer. */
export function contentsPage(
  items: readonly ContentItem[],
  visit: Visit,
  desk: Desk,
  paging: Paging,
): Response {
  const { results, hasMore } = pageOf(items, paging);
  return Response.json({ results: toContents(results, visit, desk), hasMore });
}

export function toContents(
  items: readonly ContentItem[],
  visit: Visit,
  desk: Desk,
): readonly KnowledgeContent[] {
  const log = newLog(desk.random);
  return items.map((item) => toContent(item, visit, desk, log));
}
