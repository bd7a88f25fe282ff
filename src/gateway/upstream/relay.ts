import type {
  AnswerReceiver,
  Failure,
  HeldAnswer,
  HttpRequest,
  RawHeaders,
} from "../../http/types.ts";
import type { Gate } from "../../direct-answers/types.ts";
import { joinChunks } from "../../json/bytes.ts";
import { countGate, reportFault } from "../exchange/accounting.ts";
import type { Place } from "../exchange/admission.ts";
import { refuse, refuseFailure, retrySoon } from "../exchange/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { fieldOf } from "../exchange/headers.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import {
  createClientHeaders,
  createEditedHeaders,
  setMeasures,
  routeLocations,
  dropMeasures,
} from "./forwarded-headers.ts";
import { editGate, readPlainBody, readGate } from "./gates.ts";
import type { RelayOutcome, Route, Transform, Transformed, UpstreamCore } from "./route.ts";

/**
 * Sends one request upstream and its answer to the client. Rejects only if sending throws.
 *
 * @param question the first bytes of the request's body
 */
export function relay(
  core: UpstreamCore,
  request: GatewayRequest,
  route: Route,
  place: Place,
  sent: HttpRequest,
  question: Uint8Array,
): Promise<RelayOutcome> {
  return new Promise((resolve) => {
    const receiver = new Relay(core, request, route, place, question, resolve);
    const transport = route.transport ?? core.platform.transport;
    receiver.cancel = transport.send(sent, receiver);
    request.exchange.reply.onGone(() => receiver.leave());
  });
}

class Relay implements AnswerReceiver {
  cancel: () => void = () => {};
  readonly #core: UpstreamCore;
  readonly #exchange: Exchange;
  readonly #route: Route;
  readonly #place: Place;
  readonly #question: Uint8Array;
  readonly #ended: (outcome: RelayOutcome) => void;
  /** Bytes of the answer that may be held. */
  readonly #limit: number;
  readonly #sentAt: number;
  /** The answer's status; 0 until its head has come. */
  #status = 0;
  #reason = "";
  #headers: RawHeaders = [];
  #stream: HeldAnswer | null = null;
  /** The body of an answer that may be transformed. Null if the answer goes out as it comes. */
  #held: Uint8Array[] | null = null;
  #size = 0;
  #isDone = false;
  #gate: Gate | null;

  constructor(
    core: UpstreamCore,
    { exchange, snapshot }: GatewayRequest,
    route: Route,
    place: Place,
    question: Uint8Array,
    ended: (outcome: RelayOutcome) => void,
  ) {
    this.#core = core;
    this.#exchange = exchange;
    this.#route = route;
    this.#gate = route.gate ?? null;
    this.#place = place;
    this.#question = question;
    this.#ended = ended;
    this.#limit = snapshot.config.limits.transformBytes;
    this.#sentAt = core.platform.clock();
  }

  head(status: number, reason: string, headers: RawHeaders, upstream: HeldAnswer): void {
    const { transform } = this.#route;
    this.#status = status;
    this.#reason = reason;
    this.#headers = headers;
    this.#stream = upstream;
    if (transform === null) return this.#pass();
    const gate = transform.edits
      ? editGate(status, headers, this.#limit)
      : readGate(status, headers, this.#limit);
    if (gate === null) {
      this.#held = [];
      return;
    }
    this.#close(gate);
    this.#pass();
  }

  data(chunk: Uint8Array): void {
    if (this.#isDone) return;
    if (this.#held === null) {
      if (!this.#exchange.reply.write(chunk)) this.#stream?.pause();
      return;
    }
    this.#held.push(chunk);
    this.#size += chunk.length;
    if (this.#size <= this.#limit) return;
    this.#close("size");
    this.#pass();
  }

  end(trailers: RawHeaders): void {
    if (this.#isDone || this.#status === 0) return;
    const { transform } = this.#route;
    if (this.#held !== null && transform !== null) {
      void this.#answer(joinChunks(this.#held, this.#size), trailers, transform);
      return;
    }
    this.#exchange.reply.end(trailers.length > 0 ? trailers : undefined);
    this.#finish(this.#status);
  }

  fail(error: Failure): void {
    if (this.#isDone) return;
    if (this.#status === 0) {
      const status = refuseFailure(this.#exchange, error.kind, this.#route.name);
      return this.#finish(status, { failure: error });
    }
    // The client gets the beginning, and a broken connection as a sign that it is incomplete.
    if (this.#held !== null) this.#pass();
    this.#exchange.reply.abort();
    this.#finish(this.#status, { failure: error });
  }

  /** The client went away. */
  leave(): void {
    if (this.#isDone) return;
    this.cancel();
    this.#finish(this.#status || 499, { failure: clientLeft });
  }

  #finish(status: number, known: Partial<RelayOutcome> = {}): void {
    if (this.#isDone) return;
    this.#isDone = true;
    const unknown = { upstreamTime: null, failure: null, body: null };
    // Nothing was left alone where no answer came.
    const decided = this.#status === 0 ? null : this.#gate;
    this.#ended({ status, ...unknown, decided, ...known });
  }

  #close(gate: Gate): void {
    this.#gate = gate;
    countGate(this.#core, this.#route.name, gate);
  }

  /** From here on, relays the answer as it arrives. */
  #pass(): void {
    const { reply } = this.#exchange;
    const isEndless = isEventStream(this.#headers);
    if (!this.#place.becomeStream() && isEndless) {
      this.cancel();
      const message = "Too many streams are open. Try again later.";
      refuse(this.#exchange, 503, message, retrySoon, this.#route.name);
      this.#finish(503);
      return;
    }
    reply.onDrain(() => this.#stream?.resume());
    reply.head(this.#status, this.#reason, this.#createFields());
    const held = this.#held ?? [];
    this.#held = null;
    let flowing = true;
    for (const chunk of held) flowing = reply.write(chunk);
    if (!flowing) this.#stream?.pause();
  }

  /** Answers with the whole body, transformed. */
  async #answer(body: Uint8Array, trailers: RawHeaders, transform: Transform): Promise<void> {
    const upstreamTime = this.#core.platform.clock() - this.#sentAt;
    const transformed = await this.#transform(body, transform);
    if (this.#isDone) return;
    try {
      this.#write(body, trailers, transformed);
    } catch (error) {
      reportFault(this.#core, this.#route.name, error);
      // An answer that has begun is broken off.
      if (this.#exchange.reply.started) this.#exchange.reply.abort();
      else refuseFailure(this.#exchange, null, this.#route.name);
    }
    const decided = this.#gate ?? transformed?.decided ?? null;
    this.#finish(this.#status, { upstreamTime, decided, body });
  }

  /** Null if the body goes out as it came. */
  async #transform(body: Uint8Array, transform: Transform): Promise<Transformed | null> {
    try {
      const plain = await readPlainBody(this.#core.platform, this.#headers, body, this.#limit);
      if (plain !== null) return await transform.apply(plain, this.#question);
      this.#close("decode-failed");
    } catch (error) {
      reportFault(this.#core, this.#route.name, error);
      this.#close("error");
    }
    return null;
  }

  /** Writes the whole answer at once, unless there are trailers. */
  #write(original: Uint8Array, trailers: RawHeaders, transformed: Transformed | null): void {
    const status = this.#status;
    const reason = this.#reason;
    const { reply } = this.#exchange;
    const fields = this.#createFields(transformed?.fields);
    const edited = transformed?.body ?? null;
    if (trailers.length > 0) {
      reply.head(status, reason, edited === null ? fields : dropMeasures(fields));
      reply.write(edited ?? original);
      reply.end(edited === null ? trailers : dropMeasures(trailers));
    } else if (edited === null) {
      reply.send(status, reason, setMeasures(fields, original.length), original);
    } else {
      reply.send(status, reason, createEditedHeaders(fields, edited.length), edited);
    }
  }

  /** Creates the fields of the answer to the client. */
  #createFields(extra: RawHeaders = []): RawHeaders {
    const { base, route } = this.#route.to;
    const fields = createClientHeaders(this.#status, this.#headers);
    if (extra.length > 0) fields.push(...extra);
    return routeLocations(fields, base, route);
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
