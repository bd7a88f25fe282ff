import type { InstanceConfig } from "../../config/config.ts";
import {
  type Eventually,
  nothingKnown,
  sessionTokenOf,
  type ConversationMemory,
} from "../../conversation/memory.ts";
import type { Trace } from "../../direct-answers/types.ts";
import { countGate } from "../accounting.ts";
import { isAdmin } from "../admin.ts";
import type { Core, GatewayRequest, Transform } from "../core.ts";
import { codingOf, headGate, plainBody } from "./gates.ts";
import { fieldOf } from "../headers.ts";
import type { InstanceRewriter, Rewritten, RewriteContext } from "./rewriter.ts";
import type { RawHeaders } from "../exchange.ts";

/** Rewrites the answer to POST /conversation/message. */
export function messageTransform(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  question: Uint8Array,
): Transform {
  const { headers } = request.exchange;
  const limit = request.snapshot.config.limits.transformBytes;
  const rewriter = request.snapshot.rewriter.ofInstance(instance);
  const debug = fieldOf(headers, "x-afterword-debug");
  // Authorization has the vendor's token, so the admin token travels in the debug header.
  const traced = debug !== null && isAdmin(core.admin, debug);
  let trace: Trace | null = null;
  return {
    limit,
    gate: (head) => headGate(head.status, head.headers, limit),
    edit(head, body) {
      if (codingOf(head.headers) === "") return editPlain(body);
      return plainBody(core.platform, head.headers, body, limit).then(editPlain);
    },
    extraHeaders: () => (traced && trace !== null ? ["x-afterword-trace", asciiJson(trace)] : []),
  };

  /** At once, unless a store has to be asked that is not in this process. */
  function editPlain(body: Uint8Array | null): Eventually<Uint8Array | null> {
    if (rewriter === null) return null;
    if (body === null) {
      countGate(core, "message", "decode-failed");
      return null;
    }
    if (!traced && !rewriter.mayEdit(body)) {
      countGate(core, "message", "bytes");
      return null;
    }
    const memory = core.recall.of(instance, headers);
    if (memory instanceof Promise) return memory.then((known) => rewrite(rewriter, body, known));
    return rewrite(rewriter, body, memory);
  }

  function rewrite(
    texts: InstanceRewriter,
    body: Uint8Array,
    memory: ConversationMemory | null,
  ): Eventually<Uint8Array | null> {
    const keepsShown = instance.history === "shown";
    const context = contextOf(headers, memory ?? nothingKnown, question, traced || keepsShown);
    const rewritten = texts.rewrite(body, context);
    trace = rewritten.trace;
    countTrace(core, trace);
    if (!rewritten.changed) return null;
    // A store that did not answer is not waited for a second time.
    if (!keepsShown || memory === null) return rewritten.body;
    return rememberShown(core, request, instance, rewritten).then(() => rewritten.body);
  }
}

/**
 * What is known of a message whose answer has been searched already, or is not to be: what its
 * conversation said before counts more than its own fields.
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
    session: sessionTokenOf(fieldOf(headers, "x-inbenta-session")),
    request,
    detail,
    opened: true,
  };
}

/** At most so many replaced texts are kept per conversation for `history: shown`. */
const mostShown = 200;

async function rememberShown(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  { trace }: Rewritten,
): Promise<void> {
  const pairs = trace.steps.flatMap((step): (readonly [string, string])[] => {
    const message = step.at.endsWith("/message") || step.at === "/message";
    if (!message || step.before === undefined || step.after === undefined) return [];
    return [[textOfJson(step.before), textOfJson(step.after)]];
  });
  if (pairs.length === 0) return;
  await core.recall.change(instance, request.exchange.headers, (memory) => {
    const shown = [...memory.shown, ...pairs].slice(-mostShown);
    return { ...memory, shown };
  });
}

function countTrace(core: Core, trace: Trace): void {
  if (trace.gate !== null) countGate(core, "message", trace.gate);
  for (const step of trace.steps) {
    if (step.unexpected === true) {
      core.metrics.count("afterword_unexpected_flags_total", { flag: step.flag ?? "none" });
    }
    if (step.reason === "rewritten" || step.reason === "flag-restored") {
      // `message` and `messageList` of one answer are one text.
      if (step.twin === true) continue;
      core.metrics.count("afterword_rewrites_total", {
        flag: step.flag ?? "related-title",
        locale: step.source?.locale ?? "none",
      });
    } else {
      core.metrics.count("afterword_decisions_total", { reason: step.reason });
    }
  }
}

function textOfJson(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : json;
}

/** JSON that fits into a header field: everything outside visible ASCII is escaped. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
