import { AfterwordError } from "../../errors.ts";
import { errorBody } from "../../gateway/errors.ts";
import type { Reply } from "../../gateway/exchange.ts";
import { carriedReason, headersOf } from "./field-lists.ts";
import { ownBytes } from "./own-bytes.ts";
import { type ResponseBody, createResponseBody } from "./response-body.ts";

export interface WebReply {
  readonly reply: Reply;
  readonly response: Promise<Response>;
}

/**
 * A reply that becomes a `Response`: whole with `send`, streamed with `head`. After the end, or when the client has gone,
 * what is still written is dropped.
 *
 * @param method of the request; an answer to HEAD has no body
 * @param signal aborted when the client goes away
 */
export function createWebReply(method: string, signal: AbortSignal): WebReply {
  const { promise: response, resolve } = Promise.withResolvers<Response>();
  const drained: (() => void)[] = [];
  const left: (() => void)[] = [];
  let stage: "waiting" | "open" | "done" = "waiting";
  let gone = false;
  let body: ResponseBody | null = null;

  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });

  const reply: Reply = {
    send(status, reason, headers, bytes) {
      if (stage !== "waiting") return;
      finish();
      const sent = bytes === null || bodiless(method, status) ? null : ownBytes(bytes);
      resolve(isCarried(status) ? made(status, reason, headers, sent) : unanswerable());
    },
    head(status, reason, headers) {
      if (stage !== "waiting") return;
      if (!isCarried(status)) {
        resolve(unanswerable());
        // Nobody will read what follows: the upstream may stop.
        queueMicrotask(leave);
        stage = "open";
        return;
      }
      stage = "open";
      body = bodiless(method, status) ? null : createResponseBody(drain, leave);
      resolve(made(status, reason, headers, body?.stream ?? null));
    },
    write(chunk) {
      return stage !== "open" || body === null || body.write(chunk);
    },
    end() {
      if (stage !== "open") return;
      finish();
      body?.end();
    },
    abort() {
      if (stage === "done") return;
      const unanswered = stage === "waiting";
      finish();
      if (unanswered) resolve(unanswerable());
      else body?.breakOff(new AfterwordError("upstream-broken", "the answer broke off"));
    },
    onDrain(callback) {
      drained.push(callback);
    },
    onGone(callback) {
      if (gone) callback();
      else left.push(callback);
    },
    get started() {
      return stage !== "waiting";
    },
  };
  return { reply, response };

  function drain(): void {
    if (stage === "open") for (const callback of drained) callback();
  }

  function leave(): void {
    if (stage === "done") return;
    const unanswered = stage === "waiting";
    finish();
    gone = true;
    if (unanswered) resolve(new Response(null, { status: clientClosedRequest }));
    // Servers cancel a body themselves when their client hangs up; one that is faster than they are is logged as a failure.
    else setTimeout(() => body?.drop(signal.reason), 0);
    for (const callback of left) callback();
  }

  function finish(): void {
    stage = "done";
    signal.removeEventListener("abort", leave);
  }
}

const clientClosedRequest = 499;

function bodiless(method: string, status: number): boolean {
  return method === "HEAD" || bodilessStatuses.has(status);
}

// The Fetch API's null body statuses. HTTP gives 205 no content either (RFC 9110 section 15.3.6).
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** `Response` can't be made with any other. A switch of protocols needs the platform's own way. */
function isCarried(status: number): boolean {
  return status >= 200 && status <= 599;
}

function made(
  status: number,
  reason: string,
  fields: readonly string[],
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
): Response {
  return new Response(body, {
    status,
    statusText: carriedReason(reason),
    headers: headersOf(fields),
  });
}

function unanswerable(): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  const body = ownBytes(errorBody(502, "The conversation service did not answer."));
  return new Response(body, { status: 502, statusText: "Bad Gateway", headers });
}
