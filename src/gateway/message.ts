import type { InstanceConfig } from "../config/config.ts";
import { type ConversationMemory, nothingKnown, sessionTokenOf } from "../conversation/memory.ts";
import type { Trace } from "../direct-answers/types.ts";
import { isAdmin } from "./admin.ts";
import type { Arrival, Core } from "./core.ts";
import type { RawHeaders } from "./exchange.ts";
import type { Interest } from "./forward.ts";
import { headGate } from "./gates.ts";
import { fieldOf } from "./headers.ts";
import { plainBody } from "./plain-body.ts";
import { countGate } from "./proxy.ts";
import type { InstanceRewriter, Rewritten } from "./rewriter.ts";

/** Rewrites the answer to POST /conversation/message. */
export function messageInterest(
  core: Core,
  arrival: Arrival,
  instance: InstanceConfig,
  request: Uint8Array,
): Interest {
  const { headers } = arrival.exchange;
  const limit = arrival.snapshot.config.limits.transformBytes;
  const rewriter = arrival.snapshot.rewriter.ofInstance(instance);
  const debug = fieldOf(headers, "x-afterword-debug");
  // The client's own Authorization carries the vendor's token, so the admin token travels in the debug header itself.
  const traced = debug !== null && isAdmin(core.admin, arrival.exchange, debug);
  let trace: Trace | null = null;

  return {
    limit,
    gate: (head) => headGate(head.status, head.headers, limit),
    edit(head, body) {
      if (rewriter === null) return null;
      const plain = plainBody(core.platform, head.headers, body, limit);
      return plain instanceof Promise ? plain.then(decide) : decide(plain);
    },
    extraHeaders: (): RawHeaders =>
      traced && trace !== null ? ["x-afterword-trace", asciiJson(trace)] : [],
  };

  function decide(plain: Uint8Array | null): Uint8Array | null | Promise<Uint8Array | null> {
    if (plain === null || rewriter === null) {
      countGate(core, "message", "decode-failed");
      return null;
    }
    if (!traced && !rewriter.mayEdit(plain)) {
      countGate(core, "message", "bytes");
      return null;
    }
    const memory = core.recall.of(instance, headers);
    return memory instanceof Promise
      ? memory.then((known) => rewrite(rewriter, plain, known))
      : rewrite(rewriter, plain, memory);
  }

  function rewrite(
    using: InstanceRewriter,
    plain: Uint8Array,
    known: ConversationMemory | null,
  ): Uint8Array | null | Promise<Uint8Array | null> {
    const memory = known ?? nothingKnown;
    const shown = instance.history === "shown";
    const source = memory.source ?? fieldOf(headers, "x-inbenta-source");
    const rewritten = using.rewrite(plain, {
      locale: fieldOf(headers, "x-afterword-locale"),
      lang: memory.lang,
      acceptLanguage: fieldOf(headers, "accept-language"),
      channel: fieldOf(headers, "x-afterword-channel"),
      source,
      env: memory.env ?? fieldOf(headers, "x-inbenta-env"),
      userType: memory.userType ?? fieldOf(headers, "x-inbenta-user-type"),
      variables: memory.variables,
      session: sessionTokenOf(fieldOf(headers, "x-inbenta-session")),
      request,
      detail: traced || shown,
      opened: true,
    });
    trace = rewritten.trace;
    countTrace(core, rewritten.trace);
    if (!rewritten.changed) return null;
    // A store that did not answer is not waited for a second time.
    if (!shown || known === null) return rewritten.body;
    const done = rememberShown(core, arrival, instance, rewritten);
    return done instanceof Promise ? done.then(() => rewritten.body) : rewritten.body;
  }
}

/** At most so many replaced texts are kept per conversation for `history: shown`. */
const mostShown = 200;

function rememberShown(
  core: Core,
  arrival: Arrival,
  instance: InstanceConfig,
  { trace }: Rewritten,
): void | Promise<void> {
  const session = sessionTokenOf(fieldOf(arrival.exchange.headers, "x-inbenta-session"));
  if (session === null) return undefined;
  const pairs = trace.steps.flatMap((step): (readonly [string, string])[] => {
    const message = step.at.endsWith("/message") || step.at === "/message";
    if (!message || step.before === undefined || step.after === undefined) return [];
    return [[textOfJson(step.before), textOfJson(step.after)]];
  });
  if (pairs.length === 0) return undefined;
  return core.recall.change(instance, session, (memory) => {
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
      const what = step.flag ?? "related-title";
      core.metrics.count("afterword_rewrites_total", {
        flag: what,
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
