import type { RawHeaders } from "../exchange.ts";

/**
 * The fields of a caller's request that go on beside our credentials: what describes the message,
 * and nothing that could mean somebody else, another method or another address to the upstream.
 */
export function callerHeaders(headers: RawHeaders): string[] {
  return headers.filter((_, index) =>
    goesOn.has((headers[index - (index % 2)] ?? "").toLowerCase()),
  );
}

/**
 * What a page may send: the same without what browsers set themselves, and what shows the caller.
 */
export const pageHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "range",
  "traceparent",
  "tracestate",
  "x-afterword-caller",
  "x-afterword-caller-key",
  "x-inbenta-session",
  "x-inbenta-source",
  "x-request-id",
]);

const goesOn: ReadonlySet<string> = new Set([
  ...[...pageHeaders].filter((name) => !name.startsWith("x-afterword-")),
  "accept-encoding",
  "user-agent",
]);
