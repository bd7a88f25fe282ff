import type { OutputOf } from "../../api/call/fields.ts";
import type { KnowledgeEventTable } from "../storage/tables/knowledge.ts";
import { toStorable } from "../../storage/storable.ts";
import type { Insertable } from "kysely";
import type { KnowledgeService, KnowledgeCall } from "./call.ts";
import { z } from "zod";
import { toBase64Url } from "../../json/bytes.ts";

/** An event of a reader that is stored; the call has the rest. */
export interface Recorded {
  readonly type: string;
  readonly log?: string | null;
  readonly content?: number | null;
  /** True if `content` was opened. */
  readonly clicked?: boolean;
  readonly question?: number | null;
  readonly query?: string | null;
  /** How many contents a search found. */
  readonly found?: number;
  readonly rating?: string | null;
  readonly comment?: string | null;
  /** As the front end sent it. */
  readonly data?: unknown;
}

/** Records one event, but none for HEAD, which link checkers and previews send. */
export async function recordEvent(
  service: KnowledgeService,
  call: KnowledgeCall,
  event: Recorded,
): Promise<void> {
  if (call.c.req.method === "HEAD") return;
  const { database, now } = service;
  const { audience, session, user } = call;
  const row: Insertable<KnowledgeEventTable> = {
    project: call.project,
    at: now(),
    session: session?.id ?? null,
    type: toStorable(event.type),
    log: event.log ?? null,
    content: event.content ?? null,
    clicked: event.clicked === true ? 1 : 0,
    user_question: event.question ?? null,
    query: textOf(event.query),
    found: event.found ?? null,
    rating: textOf(event.rating),
    comment: textOf(event.comment),
    language: call.catalog.language,
    environment: audience.environment,
    source: call.source,
    user_type: audience.userType,
    ip: user.ip,
    user_agent: user.userAgent,
    sdk_version: service.logUserAgent === true ? (session?.sdkVersion ?? null) : null,
    data: JSON.stringify(event.data ?? null),
  };
  await database.kysely.insertInto("knowledge_events").values(row).execute();
}

function textOf(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : toStorable(text);
}

/** The meaning of a code. `log` relates it to the answer that it came with. */
export type TrackingCode = OutputOf<typeof trackingCode>;

/** Encodes a code as base64 of JSON. It is no secret, but clients must not interpret it. */
export function writeCode(code: TrackingCode): string {
  return btoa(JSON.stringify(code));
}

const log = z.string().regex(/^[\w-]{16}$/);

const trackingCode = z.union([
  z.object({ type: z.enum(["click", "rate", "external"]), content: z.int().min(1), log }),
  z.object({ type: z.literal("question"), question: z.int().min(1), log }),
  z.object({ type: z.literal("search"), log }),
]);

/** Reads a code; null for a text that is not a code of this service. */
export function readCode(text: string): TrackingCode | null {
  try {
    return trackingCode.parse(JSON.parse(atob(text.trim())));
  } catch {
    return null;
  }
}

/** Creates the id that relates the codes of one answer, unique to it. */
export function createLog(random: (length: number) => Uint8Array): string {
  return toBase64Url(random(12));
}
