import { Deadline } from "./deadline.ts";
import type {
  AnswerReceiver,
  Failure,
  HeldAnswer,
  HttpRequest,
  RawHeaders,
  Timeouts,
} from "./types.ts";

/**
 * Prepares a request for sending; null when HTTP/1.1 cannot express it.
 *
 * @param path in origin-form or, for a proxy, in absolute-form
 * @param host for a request without a `Host` of its own
 */
export function createPendingRequest(
  { method, body, timeouts }: Pick<HttpRequest, "method" | "body" | "timeouts">,
  path: string,
  headers: RawHeaders,
  host: string,
  receiver: AnswerReceiver,
): PendingRequest | null {
  // CONNECT would turn the connection into a tunnel.
  if (method === "CONNECT" || !token.test(method) || !validTarget.test(path)) return null;
  const isStream = body !== null && !(body instanceof Uint8Array);
  const length = isStream ? readAnnouncedLength(headers) : (body?.length ?? null);
  const head = formatHead(method, path, headers, host, isStream ? (length ?? "unknown") : length);
  return head === null ? null : new PendingRequest(method, head, body, length, timeouts, receiver);
}

function readAnnouncedLength(headers: RawHeaders): number | null {
  const announced = valueOf(headers, "content-length");
  return announced !== null && /^\d{1,15}$/.test(announced) ? Number(announced) : null;
}

/** A request that waits for its answer: its time limits, its receiver, its state. */
export class PendingRequest implements HeldAnswer {
  /** Whether it has ended. */
  over = false;
  /** Whether bytes of it may have been sent. */
  sent = false;
  /** The connection that carries it. */
  connection: (HeldAnswer & { abandon(request: PendingRequest): void }) | null = null;
  readonly method: string;
  /** One char per byte. */
  readonly head: string;
  readonly body: HttpRequest["body"];
  /** The length of the body in bytes; null without one, and if it is sent in chunks. */
  readonly length: number | null;
  readonly #timeouts: Timeouts;
  readonly #receiver: AnswerReceiver;
  #deadline: Deadline | null = null;

  constructor(
    method: string,
    head: string,
    body: HttpRequest["body"],
    length: number | null,
    timeouts: Timeouts,
    receiver: AnswerReceiver,
  ) {
    this.method = method;
    this.head = head;
    this.body = body;
    this.length = length;
    this.#timeouts = timeouts;
    this.#receiver = receiver;
  }

  /** Starts its time limits, and starts them again when it moves to another connection. */
  start(): void {
    this.#deadline?.stop();
    this.#deadline = new Deadline(this.#timeouts, (limit) => this.#expired(limit));
  }

  /** Records that a piece of its body was sent. */
  moved(): void {
    this.#deadline?.touch();
  }

  answered(status: number, reason: string, headers: RawHeaders): void {
    this.#deadline?.answered();
    try {
      this.#receiver.head(status, reason, headers, this);
    } catch (error) {
      this.#faulted(error);
    }
  }

  data(bytes: Uint8Array): void {
    this.#deadline?.touch();
    try {
      this.#receiver.data(bytes);
    } catch (error) {
      this.#faulted(error);
    }
  }

  ended(trailers: RawHeaders): void {
    if (this.over) return;
    this.#settle();
    try {
      this.#receiver.end(trailers);
    } catch {
      // The receiver has everything, and its exception must not end the process.
    }
  }

  pause(): void {
    if (this.over) return;
    this.#deadline?.pause();
    this.connection?.pause();
  }

  resume(): void {
    if (this.over) return;
    this.#deadline?.resume();
    this.connection?.resume();
  }

  /** Ends it without another call of the receiver. */
  cancel(): void {
    if (this.over) return;
    this.#settle();
    this.connection?.abandon(this);
  }

  fail(failure: Failure): void {
    if (this.over) return;
    this.cancel();
    // Deferred, so that the receiver is never called from within one of its own calls.
    queueMicrotask(() => {
      try {
        this.#receiver.fail(failure);
      } catch {
        // As above.
      }
    });
  }

  /** Fails this request because its receiver threw; others go on. */
  #faulted(error: unknown): void {
    const name = error instanceof Error ? error.name : "unknown";
    this.fail({ kind: "broken", detail: `receiver threw ${name}`, sent: true });
  }

  #expired(limit: keyof Timeouts): void {
    this.fail({ kind: "timeout", detail: `${limit} timeout`, sent: this.sent });
  }

  #settle(): void {
    this.over = true;
    this.#deadline?.stop();
  }
}

/**
 * Writes the head of a request (RFC 9112 section 3). Framing fields among the given ones are
 * replaced by those for `length`. One char per byte.
 *
 * @param method letters only
 * @param path without a blank or a control character
 * @param host for a request without a Host of its own
 * @param length of the body; null for no body, "unknown": a body in chunks
 * @returns null when a field is malformed
 */
export function formatHead(
  method: string,
  path: string,
  headers: RawHeaders,
  host: string,
  length: number | "unknown" | null,
): string | null {
  let fields = "";
  let named = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    const value = headers[i + 1] ?? "";
    const kind = kindOf(name);
    if (kind === "dropped") continue;
    if (kind === "broken" || !fieldValue.test(value)) return null;
    if (kind === "host") {
      if (named) continue;
      named = true;
    }
    fields += name + ": " + value + "\r\n";
  }
  const start = method + " " + path + " HTTP/1.1\r\n" + (named ? "" : "host: " + host + "\r\n");
  return start + fields + formatFraming(method, length) + "\r\n";
}

function formatFraming(method: string, length: number | "unknown" | null): string {
  if (length === "unknown") return "transfer-encoding: chunked\r\n";
  if (length === null && bodiless.has(method)) return "";
  return "content-length: " + (length ?? 0) + "\r\n";
}

/** Methods without a body: `content-length: 0` is not sent for them (RFC 9110 section 8.6). */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "DELETE"]);

/** The value of the first field with this lower-case name, or null. */
export function valueOf(headers: RawHeaders, name: string): string | null {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const other = headers[i];
    if (other?.length === name.length && other.toLowerCase() === name)
      return headers[i + 1] ?? null;
  }
  return null;
}

/** In origin-form or, for a proxy, in absolute-form. One char per byte. */
const validTarget = /^(?:http:\/)?\/[\x21-\x7e\x80-\xff]*$/;

/** A method or a field's name (RFC 9110 section 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** One char per byte (RFC 9110 section 5.5). */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function kindOf(name: string): "broken" | "dropped" | "host" | "plain" {
  if (!token.test(name)) return "broken";
  const lower = name.toLowerCase();
  if (lower === "host") return "host";
  return dropped.has(lower) ? "dropped" : "plain";
}

/** Fields of the connection, and `expect`, which would ask for an interim answer. */
const dropped: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);
