import { isAfterwordError } from "../../errors.ts";
import type { RawHeaders } from "../exchange.ts";

/** A request to an upstream. */
export interface UpstreamRequest {
  /** Scheme, host and port (`https://api.example.com`), or `embedded:<product>`. */
  readonly origin: string;
  readonly method: string;
  /** Path and query, byte for byte as it goes out. Starts with `/`. */
  readonly path: string;
  /** Complete end-to-end headers, Host first. The transport adds only what framing needs. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null;
  /** Milliseconds, 0 for none. `total` ends any exchange, `idle` one without bytes so long. */
  readonly timeouts: {
    readonly connect: number;
    readonly headers: number;
    readonly total: number;
    readonly idle: number;
  };
  /** True for configured addresses, even private; false: public ones only, after resolution. */
  readonly trusted: boolean;
  /** The client's address, for destinations in this process; else, and for our calls, null. */
  readonly client?: string | null;
}

/** The head of an upstream's answer, as it came. */
export interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: RawHeaders;
}

/** An upstream request's events: `head`, `data`…, then `end` or `fail`, which may come first. */
export interface Receiver {
  head(status: number, reason: string, headers: RawHeaders, stream: UpstreamStream): void;
  data(chunk: Uint8Array): void;
  end(trailers: RawHeaders): void;
  /** Nothing follows. */
  fail(error: TransportError): void;
}

export interface UpstreamStream {
  pause(): void;
  resume(): void;
}

export type TransportErrorKind =
  | "refused" // the address is not one we may connect to
  | "unreachable" // no connection, TLS failure, name not found
  | "timeout"
  | "broken" // the upstream broke off or spoke no HTTP
  | "too-large" // our own limit on the request body
  | "cancelled";

export interface TransportError {
  readonly kind: TransportErrorKind;
  /** For the log: never carries a target, a header value or a body. */
  readonly detail: string;
  /** True when bytes of the request may have reached the upstream. */
  readonly sent: boolean;
}

/** Carries requests to upstreams. One per process; safe for any number at once. Never throws. */
export interface Transport {
  send(request: UpstreamRequest, receiver: Receiver): () => void; // the returned function cancels
}

/** The failure of a request whose body ended early, by our own limit or because its client left. */
export function uploadFailure(error: unknown): TransportError {
  const code = isAfterwordError(error) ? error.code : "client-gone";
  const kind =
    code === "body-too-large" ? "too-large" : code === "client-gone" ? "cancelled" : "broken";
  return { kind, detail: `the request body broke off: ${code}`, sent: true };
}
