import type { LookupFunction } from "node:net";

/** Field names and values in turn, as they stand on the wire, one char per byte. */
export type RawHeaders = readonly string[];

export interface HttpRequest {
  /** Scheme, host and port: `https://api.example.com`. */
  readonly origin: string;
  readonly method: string;
  /** Path and query, byte for byte as it goes out. Starts with `/`. */
  readonly path: string;
  /** End-to-end fields, `Host` first. Those of framing are left out: the body says what it is. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null;
  readonly timeouts: Timeouts;
  /** False: the connection goes to a public address only, as it was resolved. */
  readonly trusted: boolean;
}

/** Milliseconds, 0 for none. `headers`: silence before the head; `idle`: after it; `total`: all. */
export interface Timeouts {
  readonly connect: number;
  readonly headers: number;
  readonly idle: number;
  readonly total: number;
}

/** Gets `head`, `data`…, then `end`; or `fail`, the last. Its exceptions end only this request. */
export interface AnswerReceiver {
  head(status: number, reason: string, headers: RawHeaders, answer: HeldAnswer): void;
  data(bytes: Uint8Array): void;
  end(trailers: RawHeaders): void;
  fail(failure: Failure): void;
}

/** An answer that can be held back while its reader is slow. */
export interface HeldAnswer {
  pause(): void;
  resume(): void;
}

export interface Failure {
  readonly kind: FailureKind;
  /** For a log: a code or words of our own, never a target, a header's value or a body. */
  readonly detail: string;
  /** Bytes of the request may have reached the upstream. */
  readonly sent: boolean;
}

export type FailureKind =
  | "refused" // not an address that may be connected to
  | "unreachable" // no connection, no TLS, no such name, or nothing that HTTP/1.1 can say
  | "timeout"
  | "broken" // the upstream broke off, or spoke no HTTP
  | "too-large" // the request's body is longer than its sender allows
  | "cancelled"; // the request's body came to no end

/** A forward proxy between us and an upstream. */
export interface Proxy {
  readonly url: URL;
  /** Value of `Proxy-Authorization`, or null. A secret. */
  readonly authorization: string | null;
}

/** The rules where connections may go, and how. */
export interface Network {
  readonly proxyFor: (target: URL) => Proxy | null;
  /** Whether a name or a literal address could be one of the public Internet. */
  readonly isPublic: (host: string) => boolean;
  /** PEM texts instead of Node's own certificate authorities. */
  readonly ca?: string;
  /** Default: the system's resolver. */
  readonly lookup?: LookupFunction;
}
