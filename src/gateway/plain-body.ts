import type { RawHeaders } from "./exchange.ts";
import { codingOf } from "./gates.ts";
import type { Platform } from "./platform.ts";

/**
 * A body without its content coding: the very same bytes when it has none, a promise where
 * something must be decoded, null when that fails or would give more than `limit` bytes.
 */
export function plainBody(
  platform: Platform,
  headers: RawHeaders,
  body: Uint8Array,
  limit: number,
): Uint8Array | null | Promise<Uint8Array | null> {
  const coding = codingOf(headers);
  if (coding === "") return body;
  return coding === null ? null : platform.decode(coding, body, limit);
}
