import { z } from "zod";
import { EVENT_DATA } from "../../api/knowledge/events.ts";
import type { KnowledgeEvent } from "../../api/knowledge/events.ts";
import { parseBy } from "../handling.ts";
import { Refusal } from "../refusal.ts";
import type { Recorded } from "./recording.ts";
import { readCode } from "./tracking-codes.ts";
import type { TrackingCode } from "./tracking-codes.ts";

/** Types that say that somebody opened a content. */
const clicks: ReadonlySet<string> = new Set([
  "click",
  "instant_click",
  "contact_click",
  "autocompleter_click",
]);

/**
 * What is kept of an event that a front end reports. A type without a published shape is kept as it
 * comes.
 *
 * @throws Refusal 422 that names the member, for a type with a shape that the data does not have
 */
export function reported({ type, data }: KnowledgeEvent): Recorded {
  const schema = EVENT_DATA.get(type.toLowerCase());
  if (schema === undefined) return { type, data: data ?? null };
  const { data: read } = parseBy(z.object({ data: schema }), { data: membersOf(data) });
  const code = read.code === undefined ? null : codeOf(type, read.code);
  const content = read.contentId ?? (code !== null && "content" in code ? code.content : null);
  return {
    type,
    log: code?.log ?? null,
    content,
    clicked: clicks.has(type.toLowerCase()) && content !== null,
    question: read.id ?? (code?.type === "question" ? code.question : null),
    query: read.query ?? null,
    rating: read.value ?? null,
    comment: read.comment ?? null,
    data: data ?? null,
  };
}

function codeOf(type: string, text: string): TrackingCode {
  const code = readCode(text);
  if (code === null) throw new Refusal(422, "data.code: is no tracking code of this service");
  const kind = type.toLowerCase();
  const fits = accepted.get(kind) ?? null;
  if (fits === null || fits.includes(code.type)) return code;
  throw new Refusal(422, `data.code: is a code for something else than ${kind}`);
}

/**
 * Which codes an event takes. A rating takes that of a content or of a search: both are in use for
 * searches.
 */
const accepted: ReadonlyMap<string, readonly TrackingCode["type"][]> = new Map<
  string,
  readonly TrackingCode["type"][]
>([
  ["click", ["click", "question"]],
  ["instant_click", ["click"]],
  ["contact_click", ["click"]],
  ["rate", ["rate", "search"]],
  ["search_rate", ["search"]],
  ["instant_search", ["search"]],
  ["contact_search", ["search"]],
  ["external_click", ["search", "external"]],
  ["click_user_question", ["question"]],
]);

/** An empty list is how PHP writes an object without members. */
function membersOf(data: unknown): unknown {
  return data === undefined || data === null || (Array.isArray(data) && data.length === 0)
    ? {}
    : data;
}
