import type { RawHeaders, Reply } from "../../gateway/exchange.ts";
import { fieldOf } from "../../gateway/headers.ts";
import { carriedReason, headersOf } from "../web/field-lists.ts";
import { ownBytes } from "../web/own-bytes.ts";
import { createWebReply, type WebReply } from "../web/web-reply.ts";

/**
 * A reply that becomes a `Response`. A whole answer, which is what nearly all are, costs no stream and, when it is there
 * already, no promise; everything else goes the way of {@link createWebReply}.
 */
export class BunReply implements Reply {
  readonly #method: string;
  readonly #signal: AbortSignal;
  #streamed: WebReply | null = null;
  /** The head of a short answer whose body is about to come. */
  #held: Held | null = null;
  #response: Response | null = null;
  #resolve: ((response: Response) => void) | null = null;
  #drained: (() => void)[] | null = null;
  #left: (() => void)[] | null = null;
  #over = false;
  #gone = false;

  constructor(method: string, signal: AbortSignal) {
    this.#method = method;
    this.#signal = signal;
    if (signal.aborted) this.handleEvent();
    else signal.addEventListener("abort", this, { once: true });
  }

  /** For Bun's server. Always comes, with the head; never rejects. */
  response(): Response | Promise<Response> {
    if (this.#response !== null) return this.#response;
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  send(status: number, reason: string, headers: RawHeaders, body: Uint8Array | null): void {
    if (this.#over) return;
    if (this.#streamed !== null || this.#method === "HEAD" || !isPlain(status)) {
      this.#stream().reply.send(status, reason, headers, body);
      return;
    }
    this.#finish();
    const statusText = status === 200 ? "OK" : carriedReason(reason);
    const sent = body === null ? null : ownBytes(body);
    this.#settle(new Response(sent, { status, statusText, headers: headersOf(headers) }));
  }

  head(status: number, reason: string, headers: RawHeaders): void {
    if (this.#over || this.#held !== null) return;
    const length = Number(fieldOf(headers, "content-length") ?? Number.NaN);
    if (
      length > shortAnswer ||
      Number.isNaN(length) ||
      this.#method === "HEAD" ||
      !isPlain(status)
    ) {
      this.#stream().reply.head(status, reason, headers);
      return;
    }
    this.#held = { status, reason, headers, chunks: [] };
    setImmediate(letGo, this);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#held === null) return this.#streamed?.reply.write(chunk) ?? true;
    this.#held.chunks.push(chunk);
    return true;
  }

  end(): void {
    const held = this.#held;
    if (held === null) {
      this.#streamed?.reply.end();
      return;
    }
    this.#held = null;
    const [only] = held.chunks;
    const body = held.chunks.length === 1 && only !== undefined ? only : Buffer.concat(held.chunks);
    this.send(held.status, held.reason, held.headers, body);
  }

  abort(): void {
    if (this.#over) return;
    this.letGo();
    this.#stream().reply.abort();
  }

  onDrain(callback: () => void): void {
    if (this.#streamed === null) (this.#drained ??= []).push(callback);
    else this.#streamed.reply.onDrain(callback);
  }

  onGone(callback: () => void): void {
    if (this.#gone) callback();
    else if (this.#streamed === null) (this.#left ??= []).push(callback);
    else this.#streamed.reply.onGone(callback);
  }

  get started(): boolean {
    return this.#over || this.#held !== null || this.#streamed?.reply.started === true;
  }

  /** The body did not come with its head: what there is goes out now. */
  letGo(): void {
    const held = this.#held;
    if (held === null) return;
    this.#held = null;
    const { reply } = this.#stream();
    reply.head(held.status, held.reason, held.headers);
    for (const chunk of held.chunks) reply.write(chunk);
  }

  /** The client went away before the answer began. */
  handleEvent(): void {
    if (this.#over) return;
    this.#held = null;
    this.#finish();
    this.#gone = true;
    this.#settle(new Response(null, { status: clientClosedRequest }));
    for (const callback of this.#left ?? []) callback();
  }

  #stream(): WebReply {
    if (this.#streamed !== null) return this.#streamed;
    const streamed = createWebReply(this.#method, this.#signal);
    this.#streamed = streamed;
    this.#signal.removeEventListener("abort", this);
    for (const callback of this.#drained ?? []) streamed.reply.onDrain(callback);
    for (const callback of this.#left ?? []) streamed.reply.onGone(callback);
    void streamed.response.then((response) => this.#settle(response));
    return streamed;
  }

  #finish(): void {
    this.#over = true;
    this.#signal.removeEventListener("abort", this);
  }

  #settle(response: Response): void {
    if (this.#resolve === null) this.#response = response;
    else this.#resolve(response);
  }
}

interface Held {
  readonly status: number;
  readonly reason: string;
  readonly headers: RawHeaders;
  readonly chunks: Uint8Array[];
}

/** In bytes. Such an answer mostly comes in one piece, and waits for the rest of it no longer than until the next turn. */
const shortAnswer = 64 * 1024;

const clientClosedRequest = 499;

function isPlain(status: number): boolean {
  return status >= 200 && status <= 599 && status !== 204 && status !== 205 && status !== 304;
}

function letGo(reply: BunReply): void {
  reply.letGo();
}
