import type { Gate } from "../direct-answers/types.ts";
import type { Ticket } from "./admission.ts";
import { editedHeaders, measuredHeaders } from "./edited-headers.ts";
import { refuse } from "./errors.ts";
import type { Exchange, RawHeaders } from "./exchange.ts";
import { fieldOf } from "./headers.ts";
import { clientHeaders } from "./hop-by-hop.ts";
import type { Transport, TransportError, UpstreamRequest, UpstreamStream } from "./transport.ts";

/** The head of an upstream's answer, as it came. */
export interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: RawHeaders;
}

/** What somebody wants of an answer's body. */
export interface Interest {
  /** A gate's name: the answer is relayed as it comes. Null: it is collected, up to `limit` bytes. */
  gate(head: AnswerHead): Gate | null;
  readonly limit: number;
  /**
   * Gets the whole body; gives back the new bytes, or null when the original goes out. May be called with a coded body.
   * What it throws is caught, and the original goes out.
   */
  edit(head: AnswerHead, body: Uint8Array): Uint8Array | null | Promise<Uint8Array | null>;
  /** Fields added to the client's head: only the trace that the client asked for. */
  extraHeaders?(): RawHeaders;
}

/** What happened to a forwarded request, for metrics and the log. */
export interface Outcome {
  readonly status: number;
  /** Milliseconds from sending to the end of the upstream's answer, when it was collected; else null. */
  readonly upstreamTime: number | null;
  readonly failure: TransportError | null;
}

export interface Forwarding {
  readonly exchange: Exchange;
  readonly request: UpstreamRequest;
  readonly ticket: Ticket;
  readonly interest: Interest | null;
  /** Rewrites end-to-end fields of the answer, such as Location; gets the fields in order. */
  readonly fields: (headers: string[]) => RawHeaders;
  /** Tells whether our own limit on the request body ended the upload. */
  readonly uploadTooLarge: () => boolean;
  readonly gated: (gate: Gate) => void;
  readonly failed: (error: unknown) => void;
  readonly clock: () => number;
}

/** Sends one request upstream and its answer to the client. Resolves when the exchange is over; never rejects. */
export function forward(transport: Transport, f: Forwarding): Promise<Outcome> {
  return new Promise((resolve) => {
    const { reply } = f.exchange;
    const sentAt = f.clock();
    let head: AnswerHead | null = null;
    let stream: UpstreamStream | null = null;
    let collected: Uint8Array[] | null = null;
    let size = 0;
    let over = false;

    const cancel = transport.send(f.request, {
      head(status, reason, headers, upstream) {
        head = { status, reason, headers };
        stream = upstream;
        const gate = f.interest === null ? null : closedGate(f.interest, head);
        if (f.interest !== null && gate === null) {
          collected = [];
          return;
        }
        if (gate !== null) f.gated(gate);
        relay(head);
      },
      data(chunk) {
        if (over) return;
        if (collected === null) {
          if (!reply.write(chunk)) stream?.pause();
          return;
        }
        collected.push(chunk);
        size += chunk.length;
        if (size > (f.interest?.limit ?? 0) && head !== null) {
          f.gated("size");
          relay(head);
        }
      },
      end(trailers) {
        if (over || head === null) return;
        if (collected !== null && f.interest !== null) {
          finishCollected(head, f.interest, joined(collected, size), trailers);
          return;
        }
        reply.end(trailers.length > 0 ? trailers : undefined);
        finish({ status: head.status, upstreamTime: null, failure: null });
      },
      fail(error) {
        if (over) return;
        if (head === null) {
          const status = failureStatus(error, f.uploadTooLarge());
          refuseFailure(f.exchange, status);
          finish({ status, upstreamTime: null, failure: error });
          return;
        }
        // The client gets what came, and a broken connection to tell it that this is not all.
        if (collected !== null) relay(head);
        reply.abort();
        finish({ status: head.status, upstreamTime: null, failure: error });
      },
    });

    reply.onGone(() => {
      if (over) return;
      cancel();
      finish({ status: head?.status ?? 499, upstreamTime: null, failure: clientGone });
    });
    reply.onDrain(() => stream?.resume());

    function finish(outcome: Outcome): void {
      if (over) return;
      over = true;
      resolve(outcome);
    }

    function relay(answer: AnswerHead): void {
      const endless = isEventStream(answer.headers);
      if (!f.ticket.becomeStream() && endless) {
        cancel();
        refuse(f.exchange, 503, "Too many streams are open. Try again later.", retrySoon);
        finish({ status: 503, upstreamTime: null, failure: null });
        return;
      }
      reply.head(answer.status, answer.reason, f.fields(clientHeaders(answer.headers)));
      const held = collected ?? [];
      collected = null;
      let flowing = true;
      for (const chunk of held) flowing = reply.write(chunk);
      if (!flowing) stream?.pause();
    }

    function finishCollected(
      answer: AnswerHead,
      interest: Interest,
      body: Uint8Array,
      trailers: RawHeaders,
    ): void {
      const upstreamTime = f.clock() - sentAt;
      const send = (edited: Uint8Array | null): void => {
        if (over) return;
        sendCollected(f, answer, interest, body, edited, trailers);
        finish({ status: answer.status, upstreamTime, failure: null });
      };
      const fallBack = (error: unknown): void => {
        f.failed(error);
        f.gated("error");
        send(null);
      };
      let edited: ReturnType<Interest["edit"]>;
      try {
        edited = interest.edit(answer, body);
      } catch (error) {
        fallBack(error);
        return;
      }
      if (edited instanceof Promise) edited.then(send, fallBack);
      else send(edited);
    }

    function closedGate(interest: Interest, answer: AnswerHead): Gate | null {
      try {
        return interest.gate(answer);
      } catch (error) {
        f.failed(error);
        return "error";
      }
    }
  });
}

/** The fields of a 503. */
export const retrySoon: RawHeaders = ["Retry-After", "1"];

const clientGone: TransportError = {
  kind: "cancelled",
  detail: "the client went away",
  sent: true,
};

function sendCollected(
  f: Forwarding,
  answer: AnswerHead,
  interest: Interest,
  body: Uint8Array,
  edited: Uint8Array | null,
  trailers: RawHeaders,
): void {
  const { reply } = f.exchange;
  const bytes = edited ?? body;
  const extra = interest.extraHeaders?.() ?? [];
  const fields = f.fields([...clientHeaders(answer.headers), ...extra]);
  if (trailers.length > 0) {
    const kept = edited === null ? trailers : withoutDigests(trailers);
    reply.head(
      answer.status,
      answer.reason,
      edited === null ? fields : unmeasured(editedHeaders(fields, 0)),
    );
    reply.write(bytes);
    reply.end(kept);
    return;
  }
  const headers =
    edited === null ? measuredHeaders(fields, body.length) : editedHeaders(fields, bytes.length);
  reply.send(answer.status, answer.reason, headers, bytes);
}

function withoutDigests(trailers: RawHeaders): RawHeaders {
  const named = [...trailers, "Content-Length", ""];
  return unmeasured(editedHeaders(named, 0));
}

function unmeasured(headers: readonly string[]): RawHeaders {
  const out: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== "content-length")
      out.push(headers[i] ?? "", headers[i + 1] ?? "");
  }
  return out;
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function isEventStream(headers: RawHeaders): boolean {
  return /^\s*text\/event-stream\b/i.test(fieldOf(headers, "content-type") ?? "");
}

function failureStatus(error: TransportError, uploadTooLarge: boolean): 413 | 502 | 504 {
  if (uploadTooLarge || error.kind === "too-large") return 413;
  return error.kind === "timeout" ? 504 : 502;
}

function refuseFailure(exchange: Exchange, status: 413 | 502 | 504): void {
  if (status === 413)
    refuse(exchange, 413, "The request body is too large.", ["Connection", "close"]);
  else if (status === 504)
    refuse(exchange, 504, "The conversation service did not answer in time.");
  else refuse(exchange, 502, "The conversation service could not be reached.");
}
