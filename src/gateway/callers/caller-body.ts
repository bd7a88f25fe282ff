import type { CallerOperation } from "../../config/caller-operation.ts";
import type { Exchange } from "../exchange.ts";
import { valuesOf } from "./identify.ts";
import { checkedUpload, longestUpload, type MediaLimits, tooLarge, UPLOADS } from "./media.ts";

/** The whole body of a caller's request, or why it goes no further. */
export type CallerBody =
  | { readonly kind: "whole"; readonly bytes: Uint8Array | null }
  | { readonly kind: "refused"; readonly status: 413 | 415; readonly message: string }
  /** It will not come. */
  | { readonly kind: "lost"; readonly error: unknown };

/**
 * Reads a body up to its limit. Nothing has been sent to the upstream yet, so that what is too
 * large or of the wrong type never gets there, not even in part.
 *
 * @param limit `limits.requestBytes`
 */
export async function callerBody(
  exchange: Exchange,
  operation: CallerOperation,
  media: MediaLimits,
  limit: number,
): Promise<CallerBody> {
  const { body, headers } = exchange;
  const types = valuesOf(headers, "content-type");
  const [type = ""] = types;
  const isUpload = UPLOADS.has(operation.name);
  const most = isUpload ? Math.min(limit, longestUpload(media, type)) : limit;
  const refused = isUpload
    ? tooLarge(media)
    : ({ status: 413, message: `The request body is larger than ${limit} bytes.` } as const);
  if ((body?.length ?? 0) > most) return { kind: "refused", ...refused };
  const coded = valuesOf(headers, "content-encoding").some((coding) => !/^identity$/i.test(coding));
  // A platform may have joined two; a comma before a parameter is a known client's (README.md, 9).
  if (types.length > 1 || /,[^,;]*\//.test(type) || coded) {
    const message = "A body comes with one Content-Type and without a content coding.";
    return { kind: "refused", status: 415, message };
  }
  let bytes: Uint8Array | null = null;
  if (body !== null) {
    const read = await body.peek(most).catch((error: unknown) => ({ error }));
    if ("error" in read) return { kind: "lost", error: read.error };
    if (read.rest !== null) return { kind: "refused", ...refused };
    // Some clients frame every request. A GET has no use for a body, and fetch does not take one.
    bytes = exchange.method === "GET" || exchange.method === "HEAD" ? null : read.bytes;
  }
  if (!isUpload) return { kind: "whole", bytes };
  const checked = checkedUpload(bytes ?? new Uint8Array(0), type, media, operation.name);
  return "bytes" in checked
    ? { kind: "whole", bytes: checked.bytes }
    : { kind: "refused", ...checked };
}
