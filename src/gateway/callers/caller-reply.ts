import type { RawHeaders, Reply } from "../exchange.ts";

/**
 * The place where a caller's answer goes. What the upstream says to browsers is said to us, who are
 * none: its CORS fields and cookies stay here, and the caller's own page may read the answer.
 */
export function callerReply(reply: Reply, origin: string | null): Reply {
  return new CallerReply(reply, origin);
}

/**
 * A class: an object with a getter of its own would keep the whole exchange until the next full
 * collection (V8).
 */
class CallerReply implements Reply {
  readonly #reply: Reply;
  readonly #origin: string | null;

  constructor(reply: Reply, origin: string | null) {
    this.#reply = reply;
    this.#origin = origin;
  }

  send(status: number, reason: string, headers: RawHeaders, body: Uint8Array | null): void {
    this.#reply.send(status, reason, this.#fields(headers), body);
  }

  head(status: number, reason: string, headers: RawHeaders): void {
    this.#reply.head(status, reason, this.#fields(headers));
  }

  write(chunk: Uint8Array): boolean {
    return this.#reply.write(chunk);
  }

  end(trailers?: RawHeaders): void {
    this.#reply.end(trailers);
  }

  abort(): void {
    this.#reply.abort();
  }

  onDrain(callback: () => void): void {
    this.#reply.onDrain(callback);
  }

  onGone(callback: () => void): void {
    this.#reply.onGone(callback);
  }

  get started(): boolean {
    return this.#reply.started;
  }

  #fields(headers: RawHeaders): RawHeaders {
    return [
      ...kept(headers),
      ...(isCacheable(headers) ? ["Cache-Control", "private"] : []),
      ...corsFields(this.#origin),
    ];
  }
}

/**
 * What lets a page of this origin read an answer: the origin itself, never `*`, and no credentials
 * of the browser's.
 */
export function corsFields(origin: string | null): string[] {
  const vary = "Origin, X-Afterword-Caller, X-Afterword-Caller-Key";
  if (origin === null) return ["Vary", vary];
  return [
    "Access-Control-Allow-Origin",
    origin,
    "Access-Control-Expose-Headers",
    "Retry-After",
    "Vary",
    vary,
  ];
}

function kept(headers: RawHeaders): string[] {
  return headers.filter((_, index) => {
    const name = (headers[index - (index % 2)] ?? "").toLowerCase();
    return !name.startsWith("access-control-") && !staysHere.has(name);
  });
}

const staysHere: ReadonlySet<string> = new Set(["set-cookie", "set-cookie2", "www-authenticate"]);

/**
 * An answer that says nothing of caches could be kept by one between, and given to whoever asks
 * next.
 */
function isCacheable(headers: RawHeaders): boolean {
  return !headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === "cache-control");
}
