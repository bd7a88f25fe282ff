import type { AnswerReceiver, Failure, HeldAnswer, RawHeaders } from "../../http/types.ts";
import type { Gate, Trace } from "../../direct-answers/types.ts";
import { countGate, reportFault } from "../exchange/accounting.ts";
import type { Place } from "../exchange/admission.ts";
import type { Core, Destination, Transform } from "../core.ts";
import { refuse, refuseFailure, retrySoon } from "../exchange/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import {
  clientHeaders,
  editedHeaders,
  measuredHeaders,
  routedLocations,
  unmeasuredHeaders,
} from "./forwarded-headers.ts";
import { fieldOf } from "../exchange/headers.ts";
import { joined } from "../../json/bytes.ts";
import type { AnswerHead, Transport, UpstreamRequest } from "../exchange/transport.ts";

/** How a forwarded request was answered, for metrics and the log. */
export interface Outcome {
  readonly status: number;
  /** Milliseconds from sending to a collected answer's end, else null. */
  readonly upstreamTime: number | null;
  readonly failure: Failure | null;
  /** What became of the answer's texts. */
  readonly decided: Gate | Trace | null;
}

export interface Relayed {
  readonly exchange: Exchange;
  readonly to: Destination;
  /** Name of the route in metrics and logs: of what passes, the product. */
  readonly route: string;
  readonly transform: Transform | null;
  readonly place: Place;
  /** Monotonic milliseconds. */
  readonly sentAt: number;
}

/** Sends one request upstream and its answer to the client; `ended` is called once. */
export function relay(
  core: Core,
  transport: Transport,
  request: UpstreamRequest,
  relayed: Relayed,
  ended: (outcome: Outcome) => void,
): void {
  const receiver = new Relay(core, relayed, ended);
  receiver.cancel = transport.send(request, receiver);
  relayed.exchange.reply.onGone(() => receiver.gone());
}

class Relay implements AnswerReceiver {
  cancel: () => void = () => {};
  readonly #core: Core;
  readonly #relayed: Relayed;
  readonly #ended: (outcome: Outcome) => void;
  #head: AnswerHead | null = null;
  #stream: HeldAnswer | null = null;
  /** Null: the answer goes out as it comes. */
  #collected: CollectedBody | null = null;
  #over = false;
  #gate: Gate | null = null;

  constructor(core: Core, relayed: Relayed, ended: (outcome: Outcome) => void) {
    this.#core = core;
    this.#relayed = relayed;
    this.#ended = ended;
  }

  head(status: number, reason: string, headers: RawHeaders, upstream: HeldAnswer): void {
    const { transform } = this.#relayed;
    const head: AnswerHead = { status, reason, headers };
    this.#head = head;
    this.#stream = upstream;
    if (transform === null) return this.#pass(head);
    const gate = this.#gateOf(transform, head);
    if (gate === null) {
      this.#collected = new CollectedBody(transform.limit);
      return;
    }
    this.#close(gate);
    this.#pass(head);
  }

  data(chunk: Uint8Array): void {
    if (this.#over) return;
    if (this.#collected === null) {
      if (!this.#relayed.exchange.reply.write(chunk)) this.#stream?.pause();
    } else if (!this.#collected.add(chunk) && this.#head !== null) {
      this.#close("size");
      this.#pass(this.#head);
    }
  }

  end(trailers: RawHeaders): void {
    const head = this.#head;
    if (this.#over || head === null) return;
    const { exchange, transform } = this.#relayed;
    if (this.#collected !== null && transform !== null) {
      const upstreamTime = this.#core.platform.clock() - this.#relayed.sentAt;
      const body = this.#collected.whole();
      void this.#edit({ head, transform, body, trailers, upstreamTime });
      return;
    }
    exchange.reply.end(trailers.length > 0 ? trailers : undefined);
    this.#finish(head.status, null, null);
  }

  fail(error: Failure): void {
    if (this.#over) return;
    const head = this.#head;
    const { exchange, route } = this.#relayed;
    if (head === null) {
      const status = refuseFailure(exchange, error.kind, route);
      return this.#finish(status, error, null);
    }
    // The client gets what came, and a broken connection to tell it that this is not all.
    if (this.#collected !== null) this.#pass(head);
    exchange.reply.abort();
    this.#finish(head.status, error, null);
  }

  /** The client went away. */
  gone(): void {
    if (this.#over) return;
    this.cancel();
    this.#finish(this.#head?.status ?? 499, clientLeft, null);
  }

  #finish(status: number, failure: Failure | null, upstreamTime: number | null): void {
    if (this.#over) return;
    this.#over = true;
    const decided = this.#gate ?? this.#relayed.transform?.decided?.() ?? null;
    this.#ended({ status, upstreamTime, failure, decided });
  }

  #close(gate: Gate): void {
    this.#gate = gate;
    countGate(this.#core, this.#relayed.route, gate);
  }

  /** From here on the answer goes out as it comes. */
  #pass(head: AnswerHead): void {
    const { exchange, place, route } = this.#relayed;
    const { reply } = exchange;
    const endless = isEventStream(head.headers);
    if (!place.becomeStream() && endless) {
      this.cancel();
      refuse(exchange, 503, "Too many streams are open. Try again later.", retrySoon, route);
      this.#finish(503, null, null);
      return;
    }
    reply.onDrain(() => this.#stream?.resume());
    reply.head(head.status, head.reason, this.#fields(head));
    const held = this.#collected?.pieces ?? [];
    this.#collected = null;
    let flowing = true;
    for (const chunk of held) flowing = reply.write(chunk);
    if (!flowing) this.#stream?.pause();
  }

  async #edit(answer: CollectedAnswer): Promise<void> {
    let edited: Uint8Array | null = null;
    try {
      edited = await answer.transform.edit(answer.head, answer.body);
    } catch (error) {
      reportFault(this.#core, this.#relayed.route, error);
      this.#close("error");
    }
    this.#send(answer, edited);
  }

  #send(answer: CollectedAnswer, edited: Uint8Array | null): void {
    const { exchange, route } = this.#relayed;
    if (this.#over) return;
    try {
      this.#write(answer, edited);
    } catch (error) {
      reportFault(this.#core, route, error);
      // Whatever has been said of the answer is not gone on with.
      if (exchange.reply.started) exchange.reply.abort();
      else refuseFailure(exchange, null, route);
    }
    this.#finish(answer.head.status, null, answer.upstreamTime);
  }

  /** In one write, unless there are trailers. */
  #write({ head, transform, body, trailers }: CollectedAnswer, edited: Uint8Array | null): void {
    const { status, reason } = head;
    const { reply } = this.#relayed.exchange;
    const fields = this.#fields(head, transform.extraHeaders?.());
    if (trailers.length > 0) {
      reply.head(status, reason, edited === null ? fields : unmeasuredHeaders(fields));
      reply.write(edited ?? body);
      reply.end(edited === null ? trailers : unmeasuredHeaders(trailers));
    } else if (edited === null) {
      reply.send(status, reason, measuredHeaders(fields, body.length), body);
    } else {
      reply.send(status, reason, editedHeaders(fields, edited.length), edited);
    }
  }

  #fields({ status, headers }: AnswerHead, extra: RawHeaders = []): RawHeaders {
    const { base, route } = this.#relayed.to;
    const fields = clientHeaders(status, headers);
    if (extra.length > 0) fields.push(...extra);
    return routedLocations(fields, base, route);
  }

  #gateOf(transform: Transform, head: AnswerHead): Gate | null {
    try {
      return transform.gate(head);
    } catch (error) {
      reportFault(this.#core, this.#relayed.route, error);
      return "error";
    }
  }
}

/** An answer that has come, all of it. */
interface CollectedAnswer {
  readonly head: AnswerHead;
  readonly transform: Transform;
  readonly body: Uint8Array;
  readonly trailers: RawHeaders;
  /** In milliseconds, from sending on. */
  readonly upstreamTime: number;
}

/** A body in memory. */
class CollectedBody {
  readonly pieces: Uint8Array[] = [];
  readonly #limit: number;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False: it is larger than it may be now. */
  add(chunk: Uint8Array): boolean {
    this.pieces.push(chunk);
    this.#size += chunk.length;
    return this.#size <= this.#limit;
  }

  whole(): Uint8Array {
    return joined(this.pieces, this.#size);
  }
}

const clientLeft: Failure = {
  kind: "cancelled",
  detail: "the client went away",
  sent: true,
};

function isEventStream(headers: RawHeaders): boolean {
  const type = fieldOf(headers, "content-type");
  return type !== null && /^\s*text\/event-stream\b/i.test(type);
}
