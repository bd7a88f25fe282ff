import type { RawHeaders } from "../../http/types.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { emptyMemory, type ConversationMemory } from "../../conversation/memory.ts";
import type { Gate, Trace } from "../../direct-answers/types.ts";
import type { Core } from "../core.ts";
import { countGate } from "../exchange/accounting.ts";
import { isAdmin } from "../exchange/admin.ts";
import { fieldOf, sessionOf } from "../exchange/headers.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import type { RewriteContext } from "../rewriter/line-context.ts";
import type { Transform, Transformed } from "../upstream/route.ts";
import type { Recall } from "./recall.ts";

/** Rewrites the answer to POST /conversation/message. */
export function createMessageTransform(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
): Transform {
  const rewriter = request.snapshot.rewriter.ofInstance(instance);
  const isTraced = asksForTrace(core, request);
  return {
    edits: true,
    async apply(body, question) {
      if (rewriter === null) return null;
      if (!isTraced && !rewriter.mayEdit(body)) return leaveUntouched(core, "bytes");
      const { headers } = request.exchange;
      const memory = await core.recall.of(instance, headers);
      const keepsShown = instance.history === "shown";
      const detail = isTraced || keepsShown;
      const context = contextOf(headers, memory ?? emptyMemory, question, detail);
      const { body: edited, changed, trace } = rewriter.rewrite(body, context);
      // Without the conversation's language, a reader of another language would get the instance's.
      if (memory === null && !isLanguageNamed(trace)) return leaveUntouched(core, "memory");
      countTrace(core, trace);
      // If the store did not answer, the reader does not wait for it a second time.
      if (changed && keepsShown && memory !== null) {
        await rememberShown(core.recall, headers, instance, trace);
      }
      const fields = isTraced ? ["x-afterword-trace", toAsciiJson(trace)] : [];
      return { body: changed ? edited : null, decided: trace, fields };
    },
  };
}

/** Authorization has the vendor's token, so the admin token travels in the debug header. */
function asksForTrace({ admin, refusedCredentials }: Core, { exchange }: GatewayRequest): boolean {
  const debug = fieldOf(exchange.headers, "x-afterword-debug");
  if (debug === null) return false;
  const isAllowed = isAdmin(admin, debug);
  if (!isAllowed) refusedCredentials.note("admin-token", exchange.client.address);
  return isAllowed;
}

/** Leaves the answer as it came. */
function leaveUntouched(core: Core, gate: Gate): Transformed {
  countGate(core, "message", gate);
  return { body: null, decided: gate, fields: [] };
}

/**
 * Reads a message's context from its headers and from the memory of its conversation, which takes
 * precedence. `rewrite` must get it only with `detail`, or after `mayEdit` returned true.
 *
 * @param detail as in {@link RewriteContext}
 */
export function contextOf(
  headers: RawHeaders,
  memory: ConversationMemory,
  request: RewriteContext["request"],
  detail: boolean,
): RewriteContext {
  return {
    locale: fieldOf(headers, "x-afterword-locale"),
    lang: memory.lang,
    acceptLanguage: fieldOf(headers, "accept-language"),
    channel: fieldOf(headers, "x-afterword-channel"),
    source: memory.source ?? fieldOf(headers, "x-inbenta-source"),
    env: memory.env ?? fieldOf(headers, "x-inbenta-env"),
    userType: memory.userType ?? fieldOf(headers, "x-inbenta-user-type"),
    variables: memory.variables,
    session: sessionOf(headers),
    request,
    detail,
    isSearched: true,
  };
}

/** True when the request itself, and not only the configuration, named a language that has texts. */
function isLanguageNamed({ localeReason }: Trace): boolean {
  return localeReason.startsWith("header ") || localeReason.startsWith("accept-language ");
}

/** The most replaced texts that are kept per conversation for `history: shown`. */
const maxShown = 200;

async function rememberShown(
  recall: Recall,
  headers: RawHeaders,
  instance: InstanceConfig,
  { steps }: Trace,
): Promise<void> {
  const pairs = steps.flatMap((step): (readonly [string, string])[] => {
    const isMessage = step.at.endsWith("/message");
    if (!isMessage || step.before === undefined || step.after === undefined) return [];
    return [[textOfJson(step.before), textOfJson(step.after)]];
  });
  if (pairs.length === 0) return;
  await recall.change(instance, headers, (memory) => {
    const shown = [...memory.shown, ...pairs].slice(-maxShown);
    return { ...memory, shown };
  });
}

function countTrace(core: Core, trace: Trace): void {
  if (trace.gate !== null) countGate(core, "message", trace.gate);
  for (const step of trace.steps) {
    if (step.unexpected === true) {
      core.metrics.count("afterword_unexpected_flags_total", step.flag ?? "none");
    }
    if (step.reason === "rewritten" || step.reason === "flag-restored") {
      // `message` and `messageList` of one answer are one text.
      if (step.twin === true) continue;
      core.metrics.count(
        "afterword_rewrites_total",
        step.flag ?? "related-title",
        step.source?.locale ?? "none",
      );
    } else {
      core.metrics.count("afterword_decisions_total", step.reason);
    }
  }
}

/** A JSON string's text, or other JSON as it is. */
export function textOfJson(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : json;
}

/** JSON that fits into a header field: everything outside visible ASCII is escaped. */
function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
