import type { AnswerReceiver, Failure, RawHeaders } from "../../http/types.ts";
import { fieldOf } from "../../gateway/exchange/headers.ts";
import {
  type Transport,
  uploadFailure,
  type UpstreamRequest,
} from "../../gateway/exchange/transport.ts";
import { Deadline } from "../../http/deadline.ts";
import { answerHead, type Decodes, failureOf } from "./fetch-answer.ts";
import { type FetchLike, composeRequest } from "./fetch-request.ts";

export interface FetchTransportOptions {
  /** Default: the platform's own. */
  readonly fetch?: FetchLike;
  /**
   * Which content codings this `fetch` decodes by itself while it still reports them: true (the
   * default) for all that the Fetch standard knows, as on Node and Deno; a list for a runtime that
   * decodes only these, each alone; false for one that leaves the bytes alone.
   */
  readonly decodes?: Decodes;
}

/**
 * Carries requests with `fetch`, where there is nothing closer to the wire. What differs from a
 * socket:
 *
 * - `fetch` adds `Accept`, `Accept-Language` and `User-Agent` when the client sent none; names
 *   arrive in lower case.
 * - Where it decodes, `Accept-Encoding: identity` is sent, so that lengths, digests and ETags stay
 *   true. An answer that comes coded all the same is passed on decoded, without the fields that
 *   describe the coded bytes.
 * - The time to connect can't be told from the time to the first byte: `connect + headers` bounds
 *   both.
 * - A host that is not trusted is judged by its name alone. A public name that resolves to a
 *   private address is found only by a transport that resolves names itself; Cloudflare's `fetch`
 *   reaches no private address, others do.
 * - Node's `fetch` takes a coded body that ends too early for a whole one.
 * - Trailers are lost. GET and HEAD can't carry a body. Redirects are passed on, never followed.
 */
export function createFetchTransport(options: FetchTransportOptions = {}): Transport {
  const settings: Settings = {
    // Looked up at every call, and called without a receiver: Workers refuse any other `this`.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    decodes: options.decodes ?? true,
  };
  return { send: (request, receiver) => startExchange(settings, request, receiver) };
}

type Settings = Required<FetchTransportOptions>;

/** @returns cancels it */
function startExchange(
  settings: Settings,
  request: UpstreamRequest,
  receiver: AnswerReceiver,
): () => void {
  const aborter = new AbortController();
  let over = false;
  let uploading = request.body !== null && !(request.body instanceof Uint8Array);
  /** Settles when the answer may flow again; null while it may. */
  let held: PromiseWithResolvers<void> | null = null;
  const deadline = new Deadline(limitsOf(request.timeouts), (limit) => {
    fail({ kind: "timeout", detail: `${limit} timeout`, sent: true });
  });

  exchange().catch((error: unknown) => fail(failureOf(error)));
  return cancel;

  async function exchange(): Promise<void> {
    const composed = composeRequest(request, settings.decodes, {
      progress(ended) {
        deadline.touch();
        uploading = !ended;
      },
      failed: (error) => fail(uploadFailure(error)),
      signal: aborter.signal,
    });
    if ("kind" in composed) return fail(composed);
    const response = await settings.fetch(composed.url, composed.init, request);
    if (over) return void response.body?.cancel().catch(ignore);
    // Browsers hide what a redirect says. No answer that can be read has this status.
    if (response.status === 0) {
      return fail({ kind: "broken", detail: "the answer is opaque", sent: true });
    }
    deadline.answered();
    const head = answerHead(response, request.method, settings.decodes);
    receiver.head(head.status, head.reason, head.headers, {
      pause() {
        held ??= Promise.withResolvers<void>();
        deadline.pause();
      },
      resume() {
        deadline.resume();
        flow();
      },
    });
    if (isTakenWhole(request.timeouts, head.headers)) {
      receive(new Uint8Array(await response.arrayBuffer()));
    } else {
      await relayBody(response.body);
    }
    if (!over) finish();
  }

  async function relayBody(body: ReadableStream<Uint8Array> | null): Promise<void> {
    const reader = body?.getReader();
    for (;;) {
      const next = await (reader?.read() ?? finished);
      await held?.promise;
      if (over) return void reader?.cancel().catch(ignore);
      if (next.done) return;
      receive(next.value);
    }
  }

  function receive(bytes: Uint8Array): void {
    if (over || bytes.length === 0) return;
    deadline.touch();
    receiver.data(bytes);
  }

  function finish(): void {
    settle();
    // Answered before it was asked in full: the rest is not needed, and has no time limit any more.
    if (uploading) aborter.abort();
    try {
      receiver.end([]);
    } catch (error) {
      failLater(failureOf(error));
    }
  }

  function flow(): void {
    held?.resolve();
    held = null;
  }

  function settle(): void {
    over = true;
    deadline.stop();
    flow();
  }

  function cancel(): void {
    if (over) return;
    settle();
    aborter.abort();
  }

  function fail(error: Failure): void {
    if (over) return;
    cancel();
    failLater(error);
  }

  /** Never from inside a call of the receiver's own. */
  function failLater(error: Failure): void {
    queueMicrotask(() => {
      try {
        receiver.fail(error);
      } catch {
        // What it does with that can't reach the process.
      }
    });
  }
}

const finished = { done: true, value: undefined } as const;

/** `fetch` does not say when it has connected: until the head there is the time for both. */
function limitsOf({ connect, headers, idle, total }: UpstreamRequest["timeouts"]) {
  return { headers: headers === 0 ? 0 : connect + headers, idle, total };
}

/**
 * A short answer is taken in one piece, which costs workerd half of what its stream does, where
 * it does not matter when its bytes come: the whole of it is due before they would come too late.
 * Of one that breaks off, no part is passed on.
 */
function isTakenWhole({ total, idle }: UpstreamRequest["timeouts"], headers: RawHeaders): boolean {
  if (total === 0 || (idle !== 0 && idle < total)) return false;
  const length = fieldOf(headers, "content-length");
  return length !== null && /^\d{1,9}$/.test(length) && Number(length) <= shortAnswer;
}

/** In bytes. */
const shortAnswer = 64 * 1024;

function ignore(): void {}
