import type { RawHeaders } from "../../http/types.ts";
import type { Gate } from "../../direct-answers/types.ts";
import { fieldOf, joinedFieldOf, membersOf } from "../exchange/headers.ts";
import type { Platform } from "../exchange/platform.ts";

/**
 * Gates on status and headers, in order; null means that reading continues. `limit`: bytes held for
 * rewriting.
 */
export function editGate(status: number, headers: RawHeaders, limit: number): Gate | null {
  const gate = readGate(status, headers, limit);
  if (gate !== null && gate !== "size") return gate;
  if (forbidsTransformation(headers)) return "no-transform";
  return isSigned(headers) ? "signed" : gate;
}

/** The gates of {@link editGate} that also apply to answers that are only read. */
export function readGate(status: number, headers: RawHeaders, limit: number): Gate | null {
  if (status !== 200) return "status";
  if (!isJson(fieldOf(headers, "content-type"))) return "media-type";
  if (codingOf(headers) === null) return "coding";
  const length = fieldOf(headers, "content-length");
  return length !== null && Number(length) > limit ? "size" : null;
}

/** True when a signature covers our change: verifiers must see what was signed (RFC 9421). */
function isSigned(headers: RawHeaders): boolean {
  return (
    fieldOf(headers, "signature") !== null ||
    fieldOf(headers, "signature-input") !== null ||
    fieldOf(headers, "x-inbenta-signature") !== null
  );
}

/**
 * A body's single coding: "" for none, the name of one that can be decoded, or null for any other.
 */
export function codingOf(headers: RawHeaders): "" | "gzip" | "deflate" | "br" | null {
  const value = joinedFieldOf(headers, "content-encoding");
  if (value === null) return "";
  return codings.get(value.trim().toLowerCase()) ?? null;
}

/** A body without its content coding; null when that fails or exceeds `limit` bytes. */
export async function readPlainBody(
  platform: Pick<Platform, "decode">,
  headers: RawHeaders,
  body: Uint8Array,
  limit: number,
): Promise<Uint8Array | null> {
  const coding = codingOf(headers);
  if (coding === "") return body;
  return coding === null ? null : platform.decode(coding, body, limit);
}

/** True for application/json, text/json and application types ending in +json. */
export function isJson(contentType: string | null): boolean {
  if (contentType === null) return false;
  return (
    contentType === "application/json" ||
    /^\s*(?:application\/(?:[\w.+-]+\+)?json|text\/json)\s*(?:[;,]|$)/i.test(contentType)
  );
}

const codings: ReadonlyMap<string, "" | "gzip" | "deflate" | "br"> = new Map([
  ["", ""],
  ["identity", ""],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
] as const);

function forbidsTransformation(headers: RawHeaders): boolean {
  const value = joinedFieldOf(headers, "cache-control");
  return (
    value !== null && membersOf(value).some((member) => member.toLowerCase() === "no-transform")
  );
}
