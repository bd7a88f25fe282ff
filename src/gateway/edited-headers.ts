import type { RawHeaders } from "./exchange.ts";
import { fieldNames, isNamed } from "./headers.ts";

/**
 * The head of an answer whose body was edited: the length corrected where it stood, the coding gone
 * when the body was decoded, and what vouches for the old bytes dropped (RFC 9110 section 8.8: an
 * ETag names one exact representation; RFC 9530).
 */
export function editedHeaders(headers: RawHeaders, length: number): string[] {
  const out: string[] = [];
  let measured = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (isDropped(name)) continue;
    if (isLength(name)) {
      if (!measured) out.push(name, String(length));
      measured = true;
    } else {
      out.push(name, headers[i + 1] ?? "");
    }
  }
  if (!measured) out.push("Content-Length", String(length));
  return out;
}

/**
 * The head of an answer that was collected whole: framed by length, so that it leaves in one write.
 */
export function measuredHeaders(headers: RawHeaders, length: number): RawHeaders {
  for (let i = 0; i < headers.length; i += 2) {
    if (isLength(headers[i] ?? "")) return headers;
  }
  return [...headers, "Content-Length", String(length)];
}

const isDropped = fieldNames([
  "content-encoding",
  "etag",
  "content-md5",
  "digest",
  "repr-digest",
  "content-digest",
]);

function isLength(name: string): boolean {
  return name.length === 14 && isNamed(name, "content-length");
}
