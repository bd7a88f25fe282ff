/** Field names and values alternating, as on the wire, one char per byte. */
export type RawHeaders = readonly string[];

export interface HttpRequest {
  /** Scheme, host and port: `https://api.example.com`, or `embedded:<product>` in this process. */
  readonly origin: string;
  readonly method: string;
  /** Path and query exactly as sent. Starts with `/`. */
  readonly path: string;
  /** End-to-end fields, `Host` first. Framing fields are left out: the body determines them. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null;
  readonly timeouts: Timeouts;
  /** False if only a public address may be connected to, checked after name resolution. */
  readonly trusted: boolean;
  /** The client's address, which destinations in this process read. Absent from our own calls. */
  readonly client?: string | null;
}

/** Milliseconds, 0 for none. `headers`: silence before the head; `idle`: after it; `total`: all. */
export interface Timeouts {
  readonly connect: number;
  readonly headers: number;
  readonly idle: number;
  readonly total: number;
}

/** Receives `head`, any number of `data`, then `end`; or `fail`, which is the last call. An exception ends only this request. */
export interface AnswerReceiver {
  head(status: number, reason: string, headers: RawHeaders, answer: HeldAnswer): void;
  data(bytes: Uint8Array): void;
  end(trailers: RawHeaders): void;
  fail(failure: Failure): void;
}

/** An answer that can be paused while its receiver is slow. */
export interface HeldAnswer {
  pause(): void;
  resume(): void;
}

export interface Failure {
  readonly kind: FailureKind;
  /** For the log: a code or words of our own, never a target, a header's value or a body. */
  readonly detail: string;
  /** Whether bytes of the request may have reached the upstream. */
  readonly sent: boolean;
}

export type FailureKind =
  | "refused" // the address is not allowed
  | "unreachable" // no connection, no TLS, no such name, or a request that HTTP/1.1 cannot express
  | "timeout"
  | "broken" // the upstream closed early, or did not answer in HTTP
  | "too-large" // the request's body is longer than its sender allows
  | "cancelled"; // the client went away

/** A forward proxy between us and an upstream. */
export interface Proxy {
  readonly url: URL;
  /** Value of `Proxy-Authorization`, or null. A secret. */
  readonly authorization: string | null;
}
