import type { RawHeaders } from "../../http/types.ts";
import type { InstanceConfig } from "../../config/config.ts";
import {
  nothingKnown,
  sessionTokenOf,
  type ConversationMemory,
} from "../../conversation/memory.ts";
import type { Gate, Trace } from "../../direct-answers/types.ts";
import type { AnswerHead } from "../exchange/transport.ts";
import { countGate } from "../exchange/accounting.ts";
import { isAdmin } from "../exchange/admin.ts";
import type { Core, GatewayRequest, Transform } from "../core.ts";
import { headGate, plainBody } from "../upstream/gates.ts";
import { fieldOf } from "../exchange/headers.ts";
import type { InstanceRewriter, Rewritten, RewriteContext } from "../rewriter/rewriter.ts";

/** Rewrites the answer to POST /conversation/message. */
export function messageTransform(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  question: Uint8Array,
): Transform {
  return new MessageTransform(core, request, instance, question);
}

class MessageTransform implements Transform {
  readonly limit: number;
  readonly #core: Core;
  readonly #request: GatewayRequest;
  readonly #instance: InstanceConfig;
  readonly #question: Uint8Array;
  readonly #rewriter: InstanceRewriter | null;
  readonly #traced: boolean;
  #trace: Trace | null = null;
  #gate: Gate | null = null;

  constructor(core: Core, request: GatewayRequest, instance: InstanceConfig, question: Uint8Array) {
    const { snapshot, exchange } = request;
    const debug = fieldOf(exchange.headers, "x-afterword-debug");
    this.limit = snapshot.config.limits.transformBytes;
    this.#core = core;
    this.#request = request;
    this.#instance = instance;
    this.#question = question;
    this.#rewriter = snapshot.rewriter.ofInstance(instance);
    // Authorization has the vendor's token, so the admin token travels in the debug header.
    this.#traced = debug !== null && isAdmin(core.admin, debug);
    if (debug !== null && !this.#traced) {
      core.refusedCredentials.note("admin-token", exchange.client.address);
    }
  }

  gate({ status, headers }: AnswerHead): Gate | null {
    return headGate(status, headers, this.limit);
  }

  async edit({ headers }: AnswerHead, body: Uint8Array): Promise<Uint8Array | null> {
    const plain = await plainBody(this.#core.platform, headers, body, this.limit);
    const rewriter = this.#rewriter;
    if (rewriter === null) return null;
    if (plain === null) return this.#close("decode-failed");
    if (!this.#traced && !rewriter.mayEdit(plain)) return this.#close("bytes");
    const memory = await this.#core.recall.of(this.#instance, this.#request.exchange.headers);
    return this.#rewrite(rewriter, plain, memory);
  }

  decided(): Gate | Trace | null {
    return this.#gate ?? this.#trace;
  }

  extraHeaders(): RawHeaders {
    const trace = this.#traced ? this.#trace : null;
    return trace === null ? [] : ["x-afterword-trace", asciiJson(trace)];
  }

  #close(gate: Gate): null {
    this.#gate = gate;
    countGate(this.#core, "message", gate);
    return null;
  }

  async #rewrite(
    rewriter: InstanceRewriter,
    body: Uint8Array,
    memory: ConversationMemory | null,
  ): Promise<Uint8Array | null> {
    const { headers } = this.#request.exchange;
    const keepsShown = this.#instance.history === "shown";
    const detail = this.#traced || keepsShown;
    const context = contextOf(headers, memory ?? nothingKnown, this.#question, detail);
    const rewritten = rewriter.rewrite(body, context);
    // Without the conversation's language, a reader of another one would get the instance's.
    if (memory === null && !isLanguageNamed(rewritten.trace)) return this.#close("memory");
    this.#trace = rewritten.trace;
    countTrace(this.#core, rewritten.trace);
    if (!rewritten.changed) return null;
    // A store that did not answer is not waited for a second time.
    if (!keepsShown || memory === null) return rewritten.body;
    await rememberShown(this.#core, this.#request, this.#instance, rewritten);
    return rewritten.body;
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

/** True when the request itself, and not only the configuration, named a language that has texts. */
function isLanguageNamed({ localeReason }: Trace): boolean {
  return localeReason.startsWith("header ") || localeReason.startsWith("accept-language ");
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
