import type {
  AnswerReceiver,
  Failure,
  HttpRequest,
  RawHeaders,
  Timeouts,
} from "../../http/types.ts";
import { fieldOf } from "../../gateway/exchange/headers.ts";
import { type Transport, uploadFailure } from "../../gateway/exchange/transport.ts";
import { Deadline } from "../../http/deadline.ts";
import { type DecodedCodings, failureOf, readFields, readReason } from "./fetch-answer.ts";
import { type FetchLike, composeRequest } from "./fetch-request.ts";

export interface FetchTransportOptions {
  /** Default: the platform's own. */
  readonly fetch?: FetchLike;
  /**
   * Which content codings this `fetch` decodes by itself while it still reports them: true (the
   * default) for all that the Fetch standard knows, as on Node and Deno; a list for a runtime that
   * decodes only these, each alone; false for one that leaves the bytes alone.
   */
  readonly decodes?: DecodedCodings;
}

/**
 * Carries requests with `fetch` on runtimes without sockets. It differs from a socket:
 *
 * - `fetch` adds `Accept`, `Accept-Language` and `User-Agent` when the client sent none; names
 *   arrive in lower case.
 * - Where it decodes, `Accept-Encoding: identity` is sent, so that lengths, digests and ETags stay
 *   true. An answer that is coded nevertheless is passed on decoded, without the fields that
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
  return {
    send(request, receiver) {
      const exchange = new FetchExchange(settings, request, receiver);
      return () => exchange.cancel();
    },
  };
}

type Settings = Required<FetchTransportOptions>;

class FetchExchange {
  readonly #settings: Settings;
  readonly #request: HttpRequest;
  readonly #receiver: AnswerReceiver;
  readonly #deadline: Deadline;
  readonly #aborter = new AbortController();
  #isOver = false;
  #isUploading: boolean;
  /** Settles when the answer may flow again; null while it may. */
  #held: PromiseWithResolvers<void> | null = null;

  constructor(settings: Settings, request: HttpRequest, receiver: AnswerReceiver) {
    this.#settings = settings;
    this.#request = request;
    this.#receiver = receiver;
    this.#isUploading = request.body !== null && !(request.body instanceof Uint8Array);
    this.#deadline = new Deadline(limitsOf(request.timeouts), (limit) => {
      this.#fail({ kind: "timeout", detail: `${limit} timeout`, sent: true });
    });
    this.#exchange().catch((error: unknown) => this.#fail(failureOf(error)));
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#settle();
    this.#aborter.abort();
  }

  async #exchange(): Promise<void> {
    const { fetch, decodes } = this.#settings;
    const { method, timeouts } = this.#request;
    const composed = composeRequest(this.#request, decodes, {
      progress: (ended) => {
        this.#deadline.touch();
        this.#isUploading = !ended;
      },
      failed: (error) => this.#fail(uploadFailure(error)),
      signal: this.#aborter.signal,
    });
    if ("kind" in composed) return this.#fail(composed);
    const response = await fetch(composed.url, composed.init, this.#request);
    if (this.#isOver) return void response.body?.cancel().catch(ignore);
    // Browsers hide what a redirect says. No answer that can be read has this status.
    if (response.status === 0) {
      return this.#fail({ kind: "broken", detail: "the answer is opaque", sent: true });
    }
    this.#deadline.answered();
    const headers = readFields(response, method, decodes);
    this.#receiver.head(response.status, readReason(response), headers, {
      pause: () => {
        this.#held ??= Promise.withResolvers<void>();
        this.#deadline.pause();
      },
      resume: () => {
        this.#deadline.resume();
        this.#flow();
      },
    });
    if (isReadWhole(timeouts, headers)) {
      this.#receive(new Uint8Array(await response.arrayBuffer()));
    } else {
      await this.#relayBody(response.body);
    }
    if (!this.#isOver) this.#finish();
  }

  async #relayBody(body: ReadableStream<Uint8Array> | null): Promise<void> {
    const reader = body?.getReader();
    for (;;) {
      const next = await (reader?.read() ?? finished);
      await this.#held?.promise;
      if (this.#isOver) return void reader?.cancel().catch(ignore);
      if (next.done) return;
      this.#receive(next.value);
    }
  }

  #receive(bytes: Uint8Array): void {
    if (this.#isOver || bytes.length === 0) return;
    this.#deadline.touch();
    this.#receiver.data(bytes);
  }

  #finish(): void {
    this.#settle();
    // The answer ended before the request was sent in full. No time limit covers the rest any more.
    if (this.#isUploading) this.#aborter.abort();
    try {
      this.#receiver.end([]);
    } catch (error) {
      this.#failLater(failureOf(error));
    }
  }

  #flow(): void {
    this.#held?.resolve();
    this.#held = null;
  }

  #settle(): void {
    this.#isOver = true;
    this.#deadline.stop();
    this.#flow();
  }

  #fail(error: Failure): void {
    if (this.#isOver) return;
    this.cancel();
    this.#failLater(error);
  }

  /** Reports a failure, but never from inside one of the receiver's own calls. */
  #failLater(error: Failure): void {
    queueMicrotask(() => {
      try {
        this.#receiver.fail(error);
      } catch {
        // An error of the receiver must not end the process.
      }
    });
  }
}

const finished = { done: true, value: undefined } as const;

/** `fetch` does not report when it has connected, so the head's limit includes that time. */
function limitsOf({ connect, headers, idle, total }: Timeouts) {
  return { headers: headers === 0 ? 0 : connect + headers, idle, total };
}

/**
 * True for a short answer, which is read in one piece: this costs workerd half as much as a stream.
 * The limit of the whole answer must be the shorter one, because nothing else limits the wait
 * between two pieces. If the answer breaks off, no part of it is passed on.
 */
function isReadWhole({ total, idle }: Timeouts, headers: RawHeaders): boolean {
  if (total === 0 || (idle !== 0 && idle < total)) return false;
  const length = fieldOf(headers, "content-length");
  return length !== null && /^\d{1,9}$/.test(length) && Number(length) <= shortAnswer;
}

/** In bytes. */
const shortAnswer = 64 * 1024;

function ignore(): void {}
