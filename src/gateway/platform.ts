import type { Transport } from "./upstream/transport.ts";

/**
 * What the gateway needs of the platform it runs on. The only place where time, randomness and
 * codecs enter.
 */
export interface Platform {
  readonly transport: Transport;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds with fractions, for durations. */
  clock(): number;
  /**
   * SHA-256 of UTF-8 text as hex. A value where the platform has a synchronous hash, else a
   * promise.
   */
  digest(text: string): string | Promise<string>;
  /** Bytes from a cryptographic source. */
  random(length: number): Uint8Array;
  /**
   * Decodes a content coding (`gzip`, `x-gzip`, `deflate`, `br`). Resolves with null when the input
   * is damaged or would give more than `limit` bytes, or when the platform does not know the
   * coding. Stops inflating at the limit.
   */
  decode(coding: string, bytes: Uint8Array, limit: number): Promise<Uint8Array | null>;
  /**
   * Memory for one answer, whatever it holds, where the platform has some that need not be zeroed.
   */
  readonly allocate?: (length: number) => Uint8Array;
  readonly log: Logger;
  /**
   * False where lines of this level go nowhere, so that nobody needs to put one together. Absent:
   * all are wanted.
   */
  readonly logs?: (level: LogLevel) => boolean;
}

export type LogLevel = "error" | "warn" | "info" | "debug";

/** Structured logs: an event name and plain fields. Never a target, a text, a token or a secret. */
export type Logger = (
  level: LogLevel,
  event: string,
  fields?: Readonly<Record<string, string | number | boolean | null>>,
) => void;
