import type { InstanceConfig } from "../config/config.ts";
import { type ConversationMemory, nothingKnown } from "../conversation/memory.ts";
import type { Gate, Trace } from "../direct-answers/types.ts";
import { isAdmin } from "./admin.ts";
import type { GatewayRequest, Core } from "./core.ts";
import type { RawHeaders } from "./exchange.ts";
import type { AnswerHead, Transform } from "./forward.ts";
import { headGate } from "./gates.ts";
import { fieldOf } from "./headers.ts";
import { contextOf } from "./message-context.ts";
import { plainBody } from "./plain-body.ts";
import type { InstanceRewriter, Rewritten } from "./rewriter.ts";

/** Rewrites the answer to POST /conversation/message. */
export function messageTransform(
  core: Core,
  arrival: GatewayRequest,
  instance: InstanceConfig,
  request: Uint8Array,
): Transform {
  return new MessageInterest(core, arrival, instance, request);
}

/** One for every message: a class, so that all have one shape and share their methods. */
class MessageInterest implements Transform {
  readonly limit: number;
  readonly #core: Core;
  readonly #arrival: GatewayRequest;
  readonly #instance: InstanceConfig;
  readonly #request: Uint8Array;
  readonly #rewriter: InstanceRewriter | null;
  readonly #traced: boolean;
  #trace: Trace | null = null;

  constructor(core: Core, arrival: GatewayRequest, instance: InstanceConfig, request: Uint8Array) {
    this.limit = arrival.snapshot.config.limits.transformBytes;
    this.#core = core;
    this.#arrival = arrival;
    this.#instance = instance;
    this.#request = request;
    this.#rewriter = arrival.snapshot.rewriter.ofInstance(instance);
    const debug = fieldOf(arrival.exchange.headers, "x-afterword-debug");
    // The client's own Authorization carries the vendor's token, so the admin token travels in the
    // debug header itself.
    this.#traced = debug !== null && isAdmin(core.admin, debug);
  }

  gate({ status, headers }: AnswerHead): Gate | null {
    return headGate(status, headers, this.limit);
  }

  edit(head: AnswerHead, body: Uint8Array): Uint8Array | null | Promise<Uint8Array | null> {
    if (this.#rewriter === null) return null;
    const plain = plainBody(this.#core.platform, head.headers, body, this.limit);
    return plain instanceof Promise
      ? plain.then((decoded) => this.#decide(decoded))
      : this.#decide(plain);
  }

  extraHeaders(): RawHeaders {
    return this.#traced && this.#trace !== null
      ? ["x-afterword-trace", asciiJson(this.#trace)]
      : noHeaders;
  }

  #decide(plain: Uint8Array | null): Uint8Array | null | Promise<Uint8Array | null> {
    const rewriter = this.#rewriter;
    if (plain === null || rewriter === null) {
      this.#core.tallies.gate("message", "decode-failed");
      return null;
    }
    if (!this.#traced && !rewriter.mayEdit(plain)) {
      this.#core.tallies.gate("message", "bytes");
      return null;
    }
    const memory = this.#core.recall.of(this.#instance, this.#arrival.exchange.headers);
    return memory instanceof Promise
      ? memory.then((known) => this.#rewrite(rewriter, plain, known))
      : this.#rewrite(rewriter, plain, memory);
  }

  #rewrite(
    rewriter: InstanceRewriter,
    plain: Uint8Array,
    known: ConversationMemory | null,
  ): Uint8Array | null | Promise<Uint8Array | null> {
    const { headers } = this.#arrival.exchange;
    const memory = known ?? nothingKnown;
    const shown = this.#instance.history === "shown";
    const context = contextOf(headers, memory, this.#request, this.#traced || shown);
    const rewritten = rewriter.rewrite(plain, context);
    this.#trace = rewritten.trace;
    countTrace(this.#core, rewritten.trace);
    if (!rewritten.changed) return null;
    // A store that did not answer is not waited for a second time.
    if (!shown || known === null) return rewritten.body;
    const done = rememberShown(this.#core, this.#arrival, this.#instance, rewritten);
    return done instanceof Promise ? done.then(() => rewritten.body) : rewritten.body;
  }
}

const noHeaders: RawHeaders = [];

/** At most so many replaced texts are kept per conversation for `history: shown`. */
const mostShown = 200;

function rememberShown(
  core: Core,
  arrival: GatewayRequest,
  instance: InstanceConfig,
  { trace }: Rewritten,
): void | Promise<void> {
  const pairs = trace.steps.flatMap((step): (readonly [string, string])[] => {
    const message = step.at.endsWith("/message") || step.at === "/message";
    if (!message || step.before === undefined || step.after === undefined) return [];
    return [[textOfJson(step.before), textOfJson(step.after)]];
  });
  if (pairs.length === 0) return undefined;
  return core.recall.change(instance, arrival.exchange.headers, (memory) => {
    const shown = [...memory.shown, ...pairs].slice(-mostShown);
    return { ...memory, shown };
  });
}

function countTrace(core: Core, trace: Trace): void {
  if (trace.gate !== null) core.tallies.gate("message", trace.gate);
  for (const step of trace.steps) {
    if (step.unexpected === true) {
      core.metrics.count("afterword_unexpected_flags_total", { flag: step.flag ?? "none" });
    }
    if (step.reason === "rewritten" || step.reason === "flag-restored") {
      // `message` and `messageList` of one answer are one text.
      if (step.twin === true) continue;
      core.tallies.rewrite(step.flag ?? "related-title", step.source?.locale ?? "none");
    } else {
      core.tallies.decision(step.reason);
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
