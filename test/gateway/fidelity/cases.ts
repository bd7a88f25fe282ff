import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import type { ScriptedAnswer } from "../../../src/testing/index.ts";
import { anyBody } from "./bodies.ts";

/** One answer of the upstream on the message route. */
export interface Case {
  readonly status: number;
  /** Latin-1. */
  readonly reason: string;
  readonly type: string | null;
  readonly coding: string | null;
  readonly framing: "length" | "one-chunk" | "chunks";
  readonly cacheControl: string;
  readonly body: Uint8Array;
}

/** A well-formed answer with this body. */
export function plainCase(body: Uint8Array | string, more: Partial<Case> = {}): Case {
  return {
    status: 200,
    reason: "OK",
    type: "application/json",
    coding: null,
    framing: "length",
    cacheControl: "no-cache",
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    ...more,
  };
}

export const anyCase: fc.Arbitrary<Case> = fc.record({
  status: usually(200, 201, 400, 404, 500, 503),
  reason: usually("OK", "", "D\u00e9j\u00e0 vu", "\u00ff", "All  right"),
  type: usually<string | null>(
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "text/html; charset=utf-8",
    "text/plain",
    null,
  ),
  coding: usually<string | null>(null, "gzip", "x-gzip", "deflate", "br", "identity", "zstd"),
  framing: fc.constantFrom("length", "length", "one-chunk", "chunks"),
  cacheControl: usually("no-store", "private, No-Transform"),
  body: anyBody,
});

/** True if the gateway should read the body; all others pass unchanged. */
export function isReadable({ status, type, coding, cacheControl, body }: Case): boolean {
  return (
    status === 200 &&
    body.length <= 1_048_576 &&
    type !== null &&
    type.toLowerCase().startsWith("application/json") &&
    coding !== "zstd" &&
    coding !== LIE &&
    !cacheControl.toLowerCase().includes("no-transform")
  );
}

/** The coding of a case that announces gzip for bytes that are not gzip. */
const LIE = "lie";

/**
 * The body as sent. The body announced as zstd is not zstd, because the gateway must not decode it.
 */
export function coded({ coding, body }: Case): Uint8Array {
  return coding === null ? body : (encoders[coding]?.(body) ?? body);
}

/**
 * The upstream's answer, with fields in odd spellings, duplicates, and validators that an edit must
 * drop.
 */
export function scripted(one: Case): ScriptedAnswer {
  const body = coded(one);
  const third = Math.ceil(body.length / 3);
  return {
    status: one.status,
    reason: one.reason,
    headers: [...endToEnd(one), ...framingOf(one, body)],
    body:
      one.framing === "chunks"
        ? [body.subarray(0, 1), body.subarray(1, third), body.subarray(third)]
        : body,
  };
}

/**
 * The fields that reach the client in any case. `edited` excludes those that describe the original
 * bytes.
 */
export function endToEnd({ type, coding, cacheControl }: Case, edited = false): string[] {
  return [
    ...["X-Odd", "1"],
    ...(type === null ? [] : ["content-TYPE", type]),
    ...(coding === null || edited ? [] : ["Content-Encoding", coding === LIE ? "gzip" : coding]),
    ...(edited ? [] : ["ETag", '"abc"']),
    ...[
      "x-odd",
      "2 \u00e9",
      "Set-Cookie",
      "a=1",
      "Set-Cookie",
      "b=2",
      "Cache-Control",
      cacheControl,
    ],
  ];
}

function framingOf({ framing }: Case, body: Uint8Array): readonly string[] {
  return framing === "length"
    ? ["CONTENT-length", String(body.length)]
    : ["Transfer-Encoding", "chunked"];
}

const encoders: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
  gzip: (body) => gzipSync(body),
  "x-gzip": (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body),
};

function usually<T>(first: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}
