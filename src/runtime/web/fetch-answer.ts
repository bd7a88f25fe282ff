import type { Failure, RawHeaders } from "../../http/types.ts";
import { joinedFieldOf, membersOf } from "../../gateway/exchange/headers.ts";
import { rawHeadersOf } from "./field-lists.ts";

/**
 * The codings that a `fetch` decodes: true for all of the Fetch standard, a list of those that it
 * decodes if a body has no other, false for none.
 */
export type DecodedCodings = boolean | readonly string[];

/**
 * Reads the reason phrase. Some runtimes decode it as UTF-8: a char above 0xFF stands for bytes
 * that are lost, and then the phrase is left out.
 */
export function readReason({ statusText }: Response): string {
  return /^[\0-\xff]*$/.test(statusText) ? statusText : "";
}

/**
 * Reads the fields of an answer as they describe the bytes that follow. If `fetch` has decoded the
 * body, the fields about the coded bytes would be wrong: they are dropped, and a strong ETag
 * becomes a weak one (RFC 9110 section 8.8.1).
 *
 * @param decodes the codings that this `fetch` decodes by itself
 */
export function readFields(
  response: Response,
  method: string,
  decodes: DecodedCodings,
): RawHeaders {
  const fields = rawHeadersOf(response.headers);
  const decoded =
    wasDecoded(joinedFieldOf(fields, "content-encoding"), decodes) && hasBody(response, method);
  return decoded ? decodeFields(fields) : fields;
}

function hasBody({ status, body }: Response, method: string): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304 && body !== null;
}

/**
 * By the Fetch standard, a body is decoded if all its codings are known, or else left unchanged.
 */
function wasDecoded(contentEncoding: string | null, decodes: DecodedCodings): boolean {
  if (decodes === false) return false;
  const codings = membersOf(contentEncoding);
  if (decodes !== true) return codings.length === 1 && decodes.includes(codings[0] ?? "");
  return codings.length > 0 && codings.every((coding) => decodable.has(coding.toLowerCase()));
}

const decodable: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br", "zstd"]);

const codedBodyFields: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-length",
  "content-md5",
  "content-digest",
  "digest",
  "repr-digest",
]);

function decodeFields(fields: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fields[i] ?? "";
    const value = fields[i + 1] ?? "";
    if (codedBodyFields.has(name)) continue;
    kept.push(name, name === "etag" && value.startsWith('"') ? `W/${value}` : value);
  }
  return kept;
}

/**
 * Describes why a `fetch` failed by a code, because messages may quote secrets. `sent` is false only
 * if there certainly was no connection.
 */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const sent = !isUnconnected(code) && !saysUnconnected(error);
  if (timeouts.has(code)) return { kind: "timeout", detail: code, sent };
  return { kind: sent ? "broken" : "unreachable", detail: code, sent };
}

/** Returns the code of the innermost cause that has one (Node wraps them), else the error's name. */
function codeOf(error: unknown): string {
  let code: string | null = null;
  for (const at of listCauses(error)) {
    if ("code" in at && typeof at.code === "string") code = at.code;
  }
  return code ?? (error instanceof Error ? error.name : "unknown");
}

/** Deno's errors have no code. Only their message tells that no connection was made. */
function saysUnconnected(error: unknown): boolean {
  return listCauses(error).some(({ message }) => message.includes("client error (Connect)"));
}

/** Lists an error and its causes, the outermost first. */
function listCauses(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let at: unknown = error;
  for (; causes.length < 4 && at instanceof Error; at = at.cause) causes.push(at);
  return causes;
}

const timeouts: ReadonlySet<string> = new Set([
  "ETIMEDOUT",
  "TimeoutError",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
]);

/**
 * True if the code means that no connection was made. A TLS alert does not: it may come after the
 * handshake, when the request is on its way (RFC 8446 section 6.2).
 */
function isUnconnected(code: string): boolean {
  if (code.includes("ALERT")) return false;
  return unconnected.has(code) || /CERT|SELF_SIGNED|ERR_TLS_|WRONG_VERSION_NUMBER/.test(code);
}

const unconnected: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
