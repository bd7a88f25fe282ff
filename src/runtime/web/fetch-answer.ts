import type { AnswerHead } from "../../gateway/forward.ts";
import { joinedFieldOf, membersOf } from "../../gateway/headers.ts";
import { rawHeadersOf } from "./field-lists.ts";

/** Which codings a `fetch` decodes: all it knows, these each alone, or none. */
export type Decodes = boolean | readonly string[];

/**
 * The head of an answer as the bytes that follow it are. Where `fetch` has decoded the body, the
 * fields that speak of the coded bytes would lie: they are dropped, and a strong ETag becomes a
 * weak one (RFC 9110 section 8.8.1).
 *
 * @param decodes what this `fetch` decodes by itself
 */
export function answerHead(response: Response, method: string, decodes: Decodes): AnswerHead {
  const { status, statusText } = response;
  // Some runtimes decode the phrase as UTF-8: a char above 0xFF stands for bytes that are lost.
  const reason = /^[\0-\xff]*$/.test(statusText) ? statusText : "";
  const fields = rawHeadersOf(response.headers);
  const decoded =
    wasDecoded(joinedFieldOf(fields, "content-encoding"), decodes) && hasBody(response, method);
  return { status, reason, headers: decoded ? decodedFields(fields) : fields };
}

function hasBody({ status, body }: Response, method: string): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304 && body !== null;
}

/**
 * As the Fetch standard has it: a body is decoded when all of its codings are known, else left
 * alone.
 */
function wasDecoded(contentEncoding: string | null, decodes: Decodes): boolean {
  if (decodes === false) return false;
  const codings = membersOf(contentEncoding);
  if (decodes !== true) return codings.length === 1 && decodes.includes(codings[0] ?? "");
  return codings.length > 0 && codings.every((coding) => decodable.has(coding.toLowerCase()));
}

const decodable: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br", "zstd"]);

const describesCodedBytes: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-length",
  "content-md5",
  "content-digest",
  "digest",
  "repr-digest",
]);

function decodedFields(fields: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fields[i] ?? "";
    const value = fields[i + 1] ?? "";
    if (describesCodedBytes.has(name)) continue;
    out.push(name, name === "etag" && value.startsWith('"') ? `W/${value}` : value);
  }
  return out;
}
