import type { RecognitionWords } from "../../locales/phrases.ts";
import type { Transport } from "./transport.ts";

/**
 * The functions of a platform that the gateway needs: the only source of time, randomness and
 * codecs.
 */
export interface Platform {
  readonly transport: Transport;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds with fractions, for durations. */
  clock(): number;
  /** SHA-256 of UTF-8 text as hex; a promise where the platform has no synchronous hash. */
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
   * Reads a language's recognition words, if the configuration does not have them. Null if there
   * are none, or if they cannot be loaded now. Never rejects. Absent if the configuration has all.
   */
  readonly wordsOf?: (language: string) => Promise<RecognitionWords | null>;
  readonly log: Logger;
  /** False where a level is not logged, to save composing lines. Absent if all are composed. */
  readonly logs?: (level: LogLevel) => boolean;
}

export type LogLevel = "error" | "warn" | "info" | "debug";

/** Structured logs: an event name and plain fields. Never a target, a text, a token or a secret. */
export type Logger = (
  level: LogLevel,
  event: string,
  fields?: Readonly<Record<string, string | number | boolean | null>>,
) => void;
