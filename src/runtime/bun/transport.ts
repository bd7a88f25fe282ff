import { fieldNames, fieldOf } from "../../gateway/headers.ts";
import type {
  Receiver,
  Transport,
  TransportError,
  UpstreamRequest,
  UpstreamStream,
} from "../../gateway/transport.ts";
import { createDeadlines, type Deadline, type Expiring } from "../node/deadline.ts";
import { failureOf } from "../web/fetch-failure.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import { rawHeadersOf } from "../web/field-lists.ts";
import { ownedByFetch } from "../web/fetch-request.ts";
import { ownBytes } from "../web/own-bytes.ts";

/**
 * Carries requests with Bun's `fetch`, told to leave content codings alone. A request whose body is there, to an address that
 * the configuration names, goes the short way; all others go as on every runtime with a `fetch`.
 */
export function createBunTransport(): Transport {
  const usual = createFetchTransport({
    decodes: false,
    fetch: (url, init) => fetch(url, plain(init)),
  });
  const startDeadline = createDeadlines();
  const plainOrigins = new Set<string>();
  const limitsOf = createLimits();
  return {
    send(request, receiver) {
      if (!isShort(request, plainOrigins)) return usual.send(request, receiver);
      const carried = new Carried(request, receiver);
      carried.deadline = startDeadline(limitsOf(request.timeouts), carried);
      void carried.run();
      return () => carried.fail(cancelled);
    },
  };
}

type Timeouts = UpstreamRequest["timeouts"];

/** `fetch` does not say when it has connected: until the head there is the time for both. */
function createLimits(): (timeouts: Timeouts) => Timeouts {
  const known = new WeakMap<Timeouts, Timeouts>();
  return (timeouts) => {
    const seen = known.get(timeouts);
    if (seen !== undefined) return seen;
    const { connect, headers } = timeouts;
    const limits = { ...timeouts, headers: headers === 0 ? 0 : connect + headers };
    known.set(timeouts, limits);
    return limits;
  };
}

/** Bun's own option, which the type of `fetch` does not know. */
function plain(init: RequestInit): RequestInit {
  const given = { ...init, decompress: false };
  return given;
}

function isShort(
  { trusted, origin, path, body, method }: UpstreamRequest,
  plainOrigins: Set<string>,
): boolean {
  if (!trusted || !plainPath.test(path)) return false;
  if (body !== null && (!(body instanceof Uint8Array) || method === "GET" || method === "HEAD"))
    return false;
  if (plainOrigins.has(origin)) return true;
  if (plainOrigins.size >= mostOrigins || !/^https?:/.test(origin) || !URL.canParse(origin))
    return false;
  if (new URL(origin).origin !== origin) return false;
  plainOrigins.add(origin);
  return true;
}

/** No dot segment in any spelling, and nothing that a parser would write differently. */
const plainPath = /^(?:\/(?!\.|%2e)[\w~!$&()*+,;=:@%.-]*)+(?:\?[\w~!$&()*+,;=:@%./?-]*)?$/i;

const mostOrigins = 1000;

/** One for every request: a class, so that all have one shape and share their methods. */
class Carried implements Expiring, UpstreamStream {
  deadline: Deadline | null = null;
  readonly #request: UpstreamRequest;
  readonly #receiver: Receiver;
  readonly #aborter = new AbortController();
  #opened: PromiseWithResolvers<void> | null = null;
  #over = false;

  constructor(request: UpstreamRequest, receiver: Receiver) {
    this.#request = request;
    this.#receiver = receiver;
  }

  async run(): Promise<void> {
    try {
      const { origin, path, method, body, headers } = this.#request;
      const init = {
        method,
        headers: fieldsFor(headers),
        body: body instanceof Uint8Array ? ownBytes(body) : null,
        redirect: "manual",
        signal: this.#aborter.signal,
        decompress: false,
      } as const;
      const response = await fetch(origin + path, init);
      if (this.#over) return;
      this.deadline?.answered();
      const answered = rawHeadersOf(response.headers);
      const length = method === "HEAD" ? Number.NaN : lengthOf(answered);
      this.#receiver.head(response.status, reasonOf(response.statusText), answered, this);
      if (length > 0 && length <= shortAnswer && neverIdle(this.#request.timeouts)) {
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (this.#over) return;
        this.#receiver.data(bytes);
      } else if (response.body !== null) {
        await this.#relay(response.body, length);
      }
      if (this.#over) return;
      this.#settle();
      this.#receiver.end(noTrailers);
    } catch (error) {
      this.fail(failureOf(error));
    }
  }

  expired(name: "headers" | "idle" | "total"): void {
    this.fail({ kind: "timeout", detail: `${name} timeout`, sent: true });
  }

  pause(): void {
    this.#opened ??= Promise.withResolvers<void>();
    this.deadline?.pause();
  }

  resume(): void {
    if (this.#opened === null) return;
    this.#opened.resolve();
    this.#opened = null;
    this.deadline?.resume();
  }

  fail(error: TransportError): void {
    if (this.#over) return;
    this.#settle();
    this.#aborter.abort();
    // Later, never from inside a call of the receiver's own.
    queueMicrotask(() => {
      try {
        this.#receiver.fail(error);
      } catch {
        // It has been told; what it does with that can't reach the process.
      }
    });
  }

  async #relay(body: ReadableStream<Uint8Array>, length: number): Promise<void> {
    const reader = body.getReader();
    let size = 0;
    // A body that has its declared length is whole: nobody waits for the stream's own end.
    while (size !== length) {
      const next = await reader.read();
      if (this.#opened !== null) await this.#opened.promise;
      if (this.#over || next.done) return;
      size += next.value.length;
      this.deadline?.touch();
      this.#receiver.data(next.value);
    }
  }

  #settle(): void {
    this.#over = true;
    this.deadline?.stop();
    this.#opened?.resolve();
  }
}

/** In bytes. Taken in one piece, which costs less than its stream. */
const shortAnswer = 64 * 1024;

/** Nobody has to know when the bytes of an answer come, because the whole of it is due before they would come too late. */
function neverIdle({ total, idle }: Timeouts): boolean {
  return total > 0 && (idle === 0 || idle >= total);
}

/** Some phrases are decoded as UTF-8: a char above 0xFF stands for bytes that are lost. */
function reasonOf(text: string): string {
  return text === "OK" || /^[\0-\xff]*$/.test(text) ? text : "";
}

const cancelled: TransportError = { kind: "cancelled", detail: "cancelled", sent: true };
const noTrailers: readonly string[] = [];

function lengthOf(headers: readonly string[]): number {
  const length = fieldOf(headers, "content-length");
  return length === null || !/^\d+$/.test(length) ? Number.NaN : Number(length);
}

const isOwnedByFetch = fieldNames(ownedByFetch);

function fieldsFor(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? "";
    if (isOwnedByFetch(name)) continue;
    try {
      headers.append(name, raw[i + 1] ?? "");
    } catch {
      // A field that it refuses is left out: the rest of the message is worth having.
    }
  }
  // Else fetch asks for codings that the client did not.
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
  return headers;
}
