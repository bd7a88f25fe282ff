import type { RawHeaders } from "../../http/types.ts";
import { AfterwordError } from "../../errors.ts";
import { encodeErrorBody } from "../../gateway/exchange/errors.ts";
import type { Reply } from "../../gateway/exchange/exchange.ts";
import { toCarriedReason, headersOf } from "./field-lists.ts";
import { copyUnlessOwn } from "./own-bytes.ts";

/** The writing end of a response body. */
interface ResponseBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Returns false when the reader is behind: wait for the next drain. */
  write(chunk: Uint8Array): boolean;
  end(): void;
  /** Ends the stream with an error, after the reader has got everything that was written. */
  breakOff(error: unknown): void;
  /** Ends the stream with an error now; unread bytes are lost. */
  drop(reason: unknown): void;
}

/** Bytes that may wait for the reader before the writer has to wait. */
const highWaterMark: number = 64 * 1024;

/**
 * Makes a body that is written at the pace of its reader.
 *
 * @param drained called when there is room again after `write` returned false
 * @param cancelled called when the reader stops
 */
function createResponseBody(drained: () => void, cancelled: () => void): ResponseBody {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let stalled = false;
  let failure: { readonly error: unknown } | null = null;

  // A stream of type "bytes" would detach the chunk's whole buffer, which may be shared.
  const stream = new ReadableStream<Uint8Array>(
    {
      start(current) {
        controller = current;
      },
      pull(current) {
        const room = current.desiredSize ?? 0;
        if (failure !== null) {
          if (room >= highWaterMark) current.error(failure.error);
        } else if (stalled && room > 0) {
          stalled = false;
          drained();
        }
      },
      cancel() {
        controller = null;
        cancelled();
      },
    },
    { highWaterMark, size: (chunk) => chunk.byteLength },
  );

  return {
    stream,
    write(chunk) {
      if (controller === null || failure !== null) return true;
      if (chunk.length > 0) controller.enqueue(chunk);
      stalled = (controller.desiredSize ?? 0) <= 0;
      return !stalled;
    },
    end() {
      controller?.close();
      controller = null;
    },
    breakOff(error) {
      failure = { error };
      if ((controller?.desiredSize ?? 0) >= highWaterMark) controller?.error(error);
    },
    drop(reason) {
      controller?.error(reason);
      controller = null;
    },
  };
}

export interface WebReply {
  readonly reply: Reply;
  readonly response: Promise<Response>;
}

/**
 * A reply that becomes a `Response`: whole with `send`, streamed with `head`. After the end, or
 * when the client has gone, further writes are dropped.
 *
 * @param method of the request; an answer to HEAD has no body
 * @param signal aborted when the client goes away
 */
export function createWebReply(method: string, signal: AbortSignal): WebReply {
  const { promise: response, resolve } = Promise.withResolvers<Response>();
  return { reply: new PromisedReply(method, signal, resolve), response };
}

/**
 * One for each request. It is a class so that V8 gives all of them one hidden class: an object
 * literal with a getter would get its own each time, which V8 keeps in old space, with everything
 * of the exchange, until the next full collection.
 */
class PromisedReply implements Reply {
  readonly #method: string;
  readonly #signal: AbortSignal;
  readonly #resolve: (response: Response) => void;
  readonly #drainCallbacks: (() => void)[] = [];
  readonly #goneCallbacks: (() => void)[] = [];
  readonly #leave = (): void => this.#leaveNow();
  #stage: "waiting" | "open" | "done" = "waiting";
  #gone = false;
  #body: ResponseBody | null = null;

  constructor(method: string, signal: AbortSignal, resolve: (response: Response) => void) {
    this.#method = method;
    this.#signal = signal;
    this.#resolve = resolve;
    if (signal.aborted) this.#leaveNow();
    else signal.addEventListener("abort", this.#leave, { once: true });
  }

  send(status: number, reason: string, headers: RawHeaders, bytes: Uint8Array | null): void {
    if (this.#stage !== "waiting") return;
    this.#finish();
    const sent = bytes === null || isBodiless(this.#method, status) ? null : copyUnlessOwn(bytes);
    this.#resolve(
      isAllowedStatus(status)
        ? createResponse(status, reason, headers, sent)
        : answerUnanswerable(),
    );
  }

  head(status: number, reason: string, headers: RawHeaders): void {
    if (this.#stage !== "waiting") return;
    this.#stage = "open";
    if (!isAllowedStatus(status)) {
      this.#resolve(answerUnanswerable());
      // Nobody reads the rest, so the upstream may stop.
      queueMicrotask(this.#leave);
      return;
    }
    if (!isBodiless(this.#method, status)) {
      this.#body = createResponseBody(() => this.#drain(), this.#leave);
    }
    this.#resolve(createResponse(status, reason, headers, this.#body?.stream ?? null));
  }

  write(chunk: Uint8Array): boolean {
    return this.#stage !== "open" || this.#body === null || this.#body.write(chunk);
  }

  end(): void {
    if (this.#stage !== "open") return;
    this.#finish();
    this.#body?.end();
  }

  abort(): void {
    if (this.#stage === "done") return;
    const unanswered = this.#stage === "waiting";
    this.#finish();
    if (unanswered) this.#resolve(answerUnanswerable());
    else this.#body?.breakOff(new AfterwordError("upstream-broken", "the answer broke off"));
  }

  onDrain(callback: () => void): void {
    this.#drainCallbacks.push(callback);
  }

  onGone(callback: () => void): void {
    if (this.#gone) callback();
    else this.#goneCallbacks.push(callback);
  }

  get started(): boolean {
    return this.#stage !== "waiting";
  }

  #drain(): void {
    if (this.#stage === "open") for (const callback of this.#drainCallbacks) callback();
  }

  #leaveNow(): void {
    if (this.#stage === "done") return;
    const unanswered = this.#stage === "waiting";
    this.#finish();
    this.#gone = true;
    if (unanswered) this.#resolve(new Response(null, { status: clientClosedRequest }));
    // Servers cancel a body when their client hangs up; aborting earlier is logged as a failure.
    else setTimeout(() => this.#body?.drop(this.#signal.reason), 0);
    for (const callback of this.#goneCallbacks) callback();
  }

  #finish(): void {
    this.#stage = "done";
    this.#signal.removeEventListener("abort", this.#leave);
  }
}

const clientClosedRequest = 499;

function isBodiless(method: string, status: number): boolean {
  return method === "HEAD" || bodilessStatuses.has(status);
}

// The Fetch API's null body statuses. HTTP gives 205 no content either (RFC 9110 section 15.3.6).
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** A `Response` can have no other status. Switching protocols needs the platform's own way. */
function isAllowedStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}

function createResponse(
  status: number,
  reason: string,
  fields: readonly string[],
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
): Response {
  return new Response(body, {
    status,
    statusText: toCarriedReason(reason),
    headers: headersOf(fields),
  });
}

function answerUnanswerable(): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  const body = copyUnlessOwn(encodeErrorBody(502, "The conversation service did not answer."));
  return new Response(body, { status: 502, statusText: "Bad Gateway", headers });
}
