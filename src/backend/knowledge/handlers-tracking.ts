import { eventRequest, EVENT_DATA, type KnowledgeEvent } from "../../api/knowledge/events.ts";
import { conversion, sessionRequest, sessionUser } from "../../api/knowledge/schema.ts";
import { recordEvent, type Recorded, readCode, type TrackingCode } from "./recording.ts";
import { createKnowledgeHandler, type KnowledgeHandlers } from "./call.ts";
import type { KnowledgeService } from "./call.ts";
import { z } from "zod";
import { parseBy } from "../auth/handling.ts";
import { Refusal } from "../http/refusal.ts";

/** Sessions, and the events that front ends report. */
export function createTrackingHandlers(service: KnowledgeService) {
  const on = createKnowledgeHandler(service);
  return {
    startSession: on(sessionRequest, ({ project }, { sdkVersion }) =>
      service.sessions.begin(project, sdkVersion ?? null),
    ),
    // Without a session the event would belong to nobody, so it is not stored, and the answer says
    // so.
    setSessionUser: on(sessionUser, async (call, { data }) => {
      if (call.session === null) return { success: false };
      await recordEvent(service, call, { type: "user_info", data });
      return { success: true };
    }),
    track: on(eventRequest, async (call, event) => {
      await recordEvent(service, call, readReported(event));
      return { success: true };
    }),
    trackConversion: on(conversion, async (call, data) => {
      await recordEvent(service, call, { type: "conversion", data });
      return { success: true };
    }),
  } satisfies Partial<KnowledgeHandlers>;
}

/** Types that say that a content was opened. */
const clicks: ReadonlySet<string> = new Set([
  "click",
  "instant_click",
  "contact_click",
  "autocompleter_click",
]);

/**
 * Reads the part of an event that is kept when a front end reports it. A type without a published
 * shape is kept as it comes.
 *
 * @throws Refusal 422 that names the member, for a type with a shape that the data does not have
 */
function readReported({ type, data }: KnowledgeEvent): Recorded {
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
 * The codes that an event accepts. A rating accepts those of contents and of searches, as both are
 * in use.
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

/** PHP writes an object without members as an empty list. */
function membersOf(data: unknown): unknown {
  return data === undefined || data === null || (Array.isArray(data) && data.length === 0)
    ? {}
    : data;
}
