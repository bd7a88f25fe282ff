import type {
  Receiver,
  TransportError,
  UpstreamRequest,
  UpstreamStream,
} from "../gateway/transport.ts";
import type { Carrying, Connection } from "./connection.ts";
import type { Deadline, Expiring, TimeoutName } from "./deadline.ts";
import { token } from "../gateway/field-syntax.ts";
import { fieldOf } from "../gateway/headers.ts";
import { requestHead } from "./request-head.ts";
import type { Streamed } from "./upload.ts";

/**
 * A request for a connection of our own; null when it does not fit into a head of HTTP/1.1.
 *
 * @param host for a request that names none
 */
export function carriedFor(
  { method, path, headers, body }: UpstreamRequest,
  host: string,
  receiver: Receiver,
): Carried | null {
  // CONNECT would change what the connection is.
  if (method === "CONNECT" || !token.test(method) || !plainTarget.test(path)) return null;
  if (body === null || body instanceof Uint8Array) {
    const head = requestHead(method, path, headers, host, body?.length ?? null);
    return head === null ? null : new Carried(method, head, body, null, receiver);
  }
  const announced = fieldOf(headers, "content-length");
  const length = announced !== null && /^\d{1,15}$/.test(announced) ? Number(announced) : null;
  const head = requestHead(method, path, headers, host, length ?? "unknown");
  const streamed = { pieces: body, length };
  return head === null ? null : new Carried(method, head, null, streamed, receiver);
}

/** In origin-form or, for a proxy, in absolute-form. One char per byte. */
const plainTarget = /^(?:http:\/)?\/[\x21-\x7e\x80-\xff]*$/;

/** One for every request: a class, so that all have one shape and share their methods. */
export class Carried implements Carrying, Expiring, UpstreamStream {
  deadline: Deadline | null = null;
  over = false;
  readonly method: string;
  readonly head: string;
  readonly body: Uint8Array | null;
  readonly streamed: Streamed | null;
  readonly #receiver: Receiver;
  #connection: Connection | null = null;
  #sent = false;

  constructor(
    method: string,
    head: string,
    body: Uint8Array | null,
    streamed: Streamed | null,
    receiver: Receiver,
  ) {
    this.method = method;
    this.head = head;
    this.body = body;
    this.streamed = streamed;
    this.#receiver = receiver;
  }

  on(connection: Connection): void {
    this.#connection = connection;
  }

  sent(): void {
    this.#sent = true;
  }

  moved(): void {
    this.deadline?.touch();
  }

  answered(status: number, reason: string, headers: readonly string[]): void {
    this.deadline?.answered();
    try {
      this.#receiver.head(status, reason, headers, this);
    } catch (error) {
      this.#fault(error);
    }
  }

  data(bytes: Uint8Array, lent: boolean): void {
    this.deadline?.touch();
    try {
      if (lent && this.#receiver.lent?.(bytes) === true) return;
      this.#receiver.data(lent ? Buffer.from(bytes) : bytes);
    } catch (error) {
      this.#fault(error);
    }
  }

  ended(trailers: readonly string[]): void {
    if (this.over) return;
    this.#settle();
    try {
      this.#receiver.end(trailers);
    } catch {
      // It has all there is; what it does with that can't reach the process.
    }
  }

  expired(name: TimeoutName): void {
    this.fail({ kind: "timeout", detail: `${name} timeout`, sent: this.#sent });
  }

  pause(): void {
    if (this.over) return;
    this.deadline?.pause();
    this.#connection?.pause();
  }

  resume(): void {
    if (this.over) return;
    this.deadline?.resume();
    this.#connection?.resume();
  }

  /** Nobody is told. */
  cancel(): void {
    if (this.over) return;
    this.#settle();
    this.#connection?.abandon(this);
  }

  fail(error: TransportError): void {
    if (this.over) return;
    this.cancel();
    // Later, never from inside a call of the receiver's own.
    queueMicrotask(() => {
      try {
        this.#receiver.fail(error);
      } catch {
        // It has been told; what it does with that can't reach the process.
      }
    });
  }

  /** A fault in the receiver ends this exchange and nothing else. */
  #fault(error: unknown): void {
    const name = error instanceof Error ? error.name : "unknown";
    this.fail({ kind: "broken", detail: `receiver threw ${name}`, sent: true });
  }

  #settle(): void {
    this.over = true;
    this.deadline?.stop();
  }
}
