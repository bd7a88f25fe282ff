import type { Gate } from "../direct-answers/types.ts";
import type { Place } from "./admission.ts";
import { sendCollected } from "./collected-answer.ts";
import { refuse, retrySoon } from "./errors.ts";
import type { Exchange, RawHeaders } from "./exchange.ts";
import { fieldOf } from "./headers.ts";
import { clientHeaders } from "./hop-by-hop.ts";
import { joined } from "./joined.ts";
import type {
  Receiver,
  Transport,
  TransportError,
  UpstreamRequest,
  UpstreamStream,
} from "./transport.ts";

/** The head of an upstream's answer, as it came. */
export interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: RawHeaders;
}

/** What somebody wants of an answer's body. */
export interface Transform {
  /**
   * A gate's name: the answer is relayed as it comes. Null: it is collected, up to `limit` bytes.
   */
  gate(head: AnswerHead): Gate | null;
  readonly limit: number;
  /**
   * Gets the whole body; gives back the new bytes, or null when the original goes out. May be
   * called with a coded body. What it throws is caught, and the original goes out.
   */
  edit(head: AnswerHead, body: Uint8Array): Uint8Array | null | Promise<Uint8Array | null>;
  /** Fields added to the client's head: only the trace that the client asked for. */
  extraHeaders?(): RawHeaders;
}

/** What happened to a forwarded request, for metrics and the log. */
export interface Outcome {
  readonly status: number;
  /**
   * Milliseconds from sending to the end of the upstream's answer, when it was collected; else
   * null.
   */
  readonly upstreamTime: number | null;
  readonly failure: TransportError | null;
}

/** One forwarded request: what is sent, and who is told what becomes of it. */
export interface Forwarding {
  readonly exchange: Exchange;
  /** Name of the route in metrics and logs: of what passes, the product. */
  readonly route: string;
  readonly request: UpstreamRequest;
  readonly ticket: Place;
  readonly interest: Transform | null;
  /** Rewrites end-to-end fields of the answer, such as Location; gets the fields in order. */
  fields(headers: string[]): RawHeaders;
  /** Tells whether our own limit on the request body ended the upload. */
  uploadTooLarge(): boolean;
  gated(gate: Gate): void;
  failed(error: unknown): void;
  clock(): number;
  /** Memory for an answer, whatever it holds. */
  allocate(length: number): Uint8Array;
  /** The exchange is over. Called once. */
  over(outcome: Outcome): void;
}

/** Sends one request upstream and its answer to the client. */
export function forward(transport: Transport, f: Forwarding): void {
  const relay = new Relay(f);
  relay.cancel = transport.send(f.request, relay);
  f.exchange.reply.onGone(() => relay.gone());
}

/** There is one for every exchange: a class, so that all have one shape and share their methods. */
class Relay implements Receiver {
  cancel: () => void = nothingToCancel;
  readonly #f: Forwarding;
  readonly #sentAt: number;
  #head: AnswerHead | null = null;
  #stream: UpstreamStream | null = null;
  #collected: Uint8Array[] | null = null;
  /** Instead of pieces: where a body is put together as it comes. */
  #place: Uint8Array | null = null;
  #size = 0;
  #over = false;

  constructor(f: Forwarding) {
    this.#f = f;
    this.#sentAt = f.clock();
  }

  head(status: number, reason: string, headers: RawHeaders, upstream: UpstreamStream): void {
    const { interest } = this.#f;
    const head: AnswerHead = { status, reason, headers };
    this.#head = head;
    this.#stream = upstream;
    const gate = interest === null ? null : this.#closedGate(interest, head);
    if (interest !== null && gate === null) {
      this.#collected = [];
      return;
    }
    if (gate !== null) this.#f.gated(gate);
    this.#relay(head);
  }

  data(chunk: Uint8Array): void {
    if (this.#over) return;
    if (this.#collected === null) {
      if (!this.#f.exchange.reply.write(chunk)) this.#stream?.pause();
      return;
    }
    if (this.#place !== null) this.#collected = this.#held();
    this.#place = null;
    this.#collected.push(chunk);
    this.#size += chunk.length;
    if (this.#size > (this.#f.interest?.limit ?? 0) && this.#head !== null) {
      this.#f.gated("size");
      this.#relay(this.#head);
    }
  }

  lent(bytes: Uint8Array): boolean {
    if (this.#over) return true;
    const place = this.#place ?? this.#newPlace();
    if (place === null || this.#size + bytes.length > place.length) return false;
    place.set(bytes, this.#size);
    this.#size += bytes.length;
    return true;
  }

  end(trailers: RawHeaders): void {
    const head = this.#head;
    if (this.#over || head === null) return;
    const { interest, exchange } = this.#f;
    if (this.#collected !== null && interest !== null) {
      this.#finishCollected(head, interest, joined(this.#held(), this.#size), trailers);
      return;
    }
    exchange.reply.end(trailers.length > 0 ? trailers : undefined);
    this.#finish({ status: head.status, upstreamTime: null, failure: null });
  }

  fail(error: TransportError): void {
    if (this.#over) return;
    const head = this.#head;
    const { exchange } = this.#f;
    if (head === null) {
      const status = failureStatus(error, this.#f.uploadTooLarge());
      refuseFailure(this.#f, status);
      this.#finish({ status, upstreamTime: null, failure: error });
      return;
    }
    // The client gets what came, and a broken connection to tell it that this is not all.
    if (this.#collected !== null) this.#relay(head);
    exchange.reply.abort();
    this.#finish({ status: head.status, upstreamTime: null, failure: error });
  }

  /** The client went away. */
  gone(): void {
    if (this.#over) return;
    this.cancel();
    this.#finish({ status: this.#head?.status ?? 499, upstreamTime: null, failure: clientGone });
  }

  /** For a body whose pieces would be copied twice: by whom lends them, and to be joined. */
  #newPlace(): Uint8Array | null {
    if (this.#collected === null || this.#size > 0 || this.#head === null) return null;
    const length = Number(fieldOf(this.#head.headers, "content-length") ?? 0);
    if (!(length >= worthPlacing) || length > (this.#f.interest?.limit ?? 0)) return null;
    this.#place = this.#f.allocate(length);
    return this.#place;
  }

  /** What has been collected so far. */
  #held(): Uint8Array[] {
    if (this.#place !== null) return [this.#place.subarray(0, this.#size)];
    return this.#collected ?? [];
  }

  #finish(outcome: Outcome): void {
    if (this.#over) return;
    this.#over = true;
    this.#f.over(outcome);
  }

  #relay(answer: AnswerHead): void {
    const { exchange, ticket } = this.#f;
    const { reply } = exchange;
    const endless = isEventStream(answer.headers);
    if (!ticket.becomeStream() && endless) {
      this.cancel();
      const message = "Too many streams are open. Try again later.";
      refuse(exchange, 503, message, retrySoon, this.#f.route);
      this.#finish({ status: 503, upstreamTime: null, failure: null });
      return;
    }
    reply.onDrain(() => this.#stream?.resume());
    reply.head(
      answer.status,
      answer.reason,
      this.#f.fields(clientHeaders(answer.status, answer.headers)),
    );
    const held = this.#held();
    this.#collected = null;
    this.#place = null;
    let flowing = true;
    for (const chunk of held) flowing = reply.write(chunk);
    if (!flowing) this.#stream?.pause();
  }

  #finishCollected(
    answer: AnswerHead,
    interest: Transform,
    body: Uint8Array,
    trailers: RawHeaders,
  ): void {
    const upstreamTime = this.#f.clock() - this.#sentAt;
    let edited: ReturnType<Transform["edit"]>;
    try {
      edited = interest.edit(answer, body);
    } catch (error) {
      this.#fallBack(error);
      edited = null;
    }
    if (!(edited instanceof Promise)) {
      this.#send(answer, interest, body, edited, trailers, upstreamTime);
      return;
    }
    void edited
      .catch((error: unknown) => {
        this.#fallBack(error);
        return null;
      })
      .then((bytes) => this.#send(answer, interest, body, bytes, trailers, upstreamTime));
  }

  #fallBack(error: unknown): void {
    this.#f.failed(error);
    this.#f.gated("error");
  }

  #send(
    answer: AnswerHead,
    interest: Transform,
    body: Uint8Array,
    edited: Uint8Array | null,
    trailers: RawHeaders,
    upstreamTime: number,
  ): void {
    if (this.#over) return;
    try {
      sendCollected(this.#f, answer, interest, body, edited, trailers);
    } catch (error) {
      // Nothing may keep the exchange's place for ever.
      this.#f.failed(error);
      breakOff(this.#f);
    }
    this.#finish({ status: answer.status, upstreamTime, failure: null });
  }

  #closedGate(interest: Transform, answer: AnswerHead): Gate | null {
    try {
      return interest.gate(answer);
    } catch (error) {
      this.#f.failed(error);
      return "error";
    }
  }
}

function nothingToCancel(): void {}

/** In bytes: longer bodies come in several pieces. */
const worthPlacing = 65_536;

/** Whatever has been said of the answer is not gone on with. */
function breakOff(forwarding: Forwarding): void {
  const { reply } = forwarding.exchange;
  if (reply.started) reply.abort();
  else refuseFailure(forwarding, 502);
}

const clientGone: TransportError = {
  kind: "cancelled",
  detail: "the client went away",
  sent: true,
};

function isEventStream(headers: RawHeaders): boolean {
  const type = fieldOf(headers, "content-type");
  return type !== null && type !== "application/json" && /^\s*text\/event-stream\b/i.test(type);
}

function failureStatus(error: TransportError, uploadTooLarge: boolean): 413 | 502 | 504 {
  if (uploadTooLarge || error.kind === "too-large") return 413;
  return error.kind === "timeout" ? 504 : 502;
}

function refuseFailure({ exchange, route }: Forwarding, status: 413 | 502 | 504): void {
  const closing = status === 413 ? ["Connection", "close"] : [];
  refuse(exchange, status, failures[status], closing, route);
}

const failures = {
  413: "The request body is too large.",
  502: "The conversation service could not be reached.",
  504: "The conversation service did not answer in time.",
};
