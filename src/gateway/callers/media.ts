import type { CallerConfig } from "../../config/config.ts";
import { scan } from "../../json/scan.ts";
import { compileShape } from "../../json/shape.ts";
import { readString } from "../../json/text.ts";
import type { JsonObject } from "../../json/types.ts";
import { coversType, typeOfName } from "../../config/schema/media-types.ts";
import { boundaryOf, isMultipart, readParts } from "../../http/multipart.ts";
import type { CallerOperation } from "../../config/caller-operations.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { valuesOf } from "./identify.ts";

export type MediaLimits = CallerConfig["media"];

/** Why an upload is not forwarded. */
export interface MediaRefusal {
  readonly status: 413 | 415;
  readonly message: string;
}

/** Operations whose body is a file. */
const UPLOADS: ReadonlySet<string> = new Set(["ticketing.upload", "chat.upload"]);

/** Bytes of an upload's body: base64 adds a third, and JSON may escape each slash. */
function limitUpload({ bytes }: MediaLimits, contentType: string): number {
  return isMultipart(contentType)
    ? bytes + envelope
    : Math.ceil(Math.ceil(bytes / 3) * 4 * (33 / 32)) + envelope;
}

/**
 * Validates an upload before any of it is sent: JSON with a name and base64 content (seed.md, 5),
 * or a form if the product takes one. JSON is forwarded as it was parsed here, and ambiguous input
 * is refused, because the upstream might read it differently.
 */
function checkUpload(
  body: Uint8Array,
  contentType: string,
  limits: MediaLimits,
  operation: string,
): MediaRefusal | { readonly bytes: Uint8Array } {
  if (isMultipart(contentType)) {
    const refusal =
      operation === "chat.upload" ? formRefusal(body, contentType, limits) : notUnderstood;
    return refusal ?? { bytes: body };
  }
  return /^application\/json\s*(?:[;,]|$)/i.test(contentType.trim())
    ? checkJson(body, limits)
    : notUnderstood;
}

export function refuseTooLarge({ bytes }: MediaLimits): MediaRefusal {
  return { status: 413, message: `The file is larger than ${bytes} bytes.` };
}

// Bytes for names, types, boundaries and everything else around a file.
const envelope = 64 * 1024;

const notUnderstood: MediaRefusal = {
  status: 415,
  message:
    "An upload is JSON with name and content (base64), or for the chat a multipart form, in UTF-8 and without a content coding. No name stands twice in it, and the file's has no control characters.",
};

const shape = compileShape({ each: {} });
const utf8 = new TextDecoder();

function checkJson(
  body: Uint8Array,
  limits: MediaLimits,
): MediaRefusal | { readonly bytes: Uint8Array } {
  const root = scan(body, shape);
  if (root?.kind !== "object" || hasTwins(body, root)) return notUnderstood;
  const texts = new Map<string, string>();
  const members: string[] = [];
  for (const [name, node] of root.fields) {
    // Some readers ignore the case of a name.
    if (looked.has(name.toLowerCase()) && !looked.has(name)) return notUnderstood;
    const text = readString(body, node);
    if (text !== null) texts.set(name, text);
    else if (looked.has(name) && node.kind !== "null") return notUnderstood;
    const value =
      text === null ? utf8.decode(body.subarray(node.start, node.end)) : JSON.stringify(text);
    members.push(`${JSON.stringify(name)}:${value}`);
  }
  const name = texts.get("name");
  const content = texts.get("content");
  const type = texts.get("type") ?? null;
  if (name === undefined || /[\p{Cc}\p{Cs}]/u.test(name)) return notUnderstood;
  // Readers may disagree whether a blank before `data:` counts.
  if (content === undefined || /^[^A-Za-z0-9+/_=-]/.test(content)) return notUnderstood;
  const [, declared = null] = /^data:([^;,]*)/i.exec(content.slice(0, 200)) ?? [];
  const base64 = declared === null ? content : content.slice(content.indexOf(",") + 1);
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  if (Math.floor((base64.length * 3) / 4) - padding > limits.bytes) return refuseTooLarge(limits);
  const refusal = refuseType([declared, type, typeOfName(name)], limits);
  return refusal ?? { bytes: new TextEncoder().encode(`{${members.join(",")}}`) };
}

/** Members that describe a file. */
const looked: ReadonlySet<string> = new Set(["name", "content", "type"]);

/** True for a repeated member name: text beside names is then outside the values that count. */
function hasTwins(body: Uint8Array, { start, fields }: JsonObject): boolean {
  let at = start;
  let outside = "";
  for (const value of [...fields.values()].toSorted((a, b) => a.start - b.start)) {
    outside += utf8.decode(body.subarray(at, value.start));
    at = value.end;
  }
  return (outside.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0) !== fields.size;
}

function formRefusal(
  body: Uint8Array,
  contentType: string,
  limits: MediaLimits,
): MediaRefusal | null {
  const boundary = boundaryOf(contentType);
  const parts = boundary === null ? null : readParts(body, boundary);
  if (parts === null) return notUnderstood;
  for (const part of parts) {
    if (part.content.length > limits.bytes) return refuseTooLarge(limits);
    const isFile = part.fileNames.length > 0 || part.name === "media" || part.type !== null;
    const types = [part.type, ...part.fileNames.map(typeOfName)];
    const refusal = isFile ? refuseType(types, limits) : null;
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Every description of the file must name an allowed type, and there must be one. */
function refuseType(
  declared: readonly (string | null)[],
  { types }: MediaLimits,
): MediaRefusal | null {
  if (types.length === 0) return null;
  const known = declared.flatMap((type) =>
    type === null || type === "" || type === "application/octet-stream" ? [] : [type.toLowerCase()],
  );
  const fine =
    known.length > 0 && known.every((type) => types.some((one) => coversType(one, type)));
  return fine
    ? null
    : { status: 415, message: `Files of this type are not taken here: ${types.join(", ")} are.` };
}

/** The whole body of a caller's request, or the reason why it is not forwarded. */
export type CallerBody =
  | { readonly kind: "whole"; readonly bytes: Uint8Array | null }
  | { readonly kind: "refused"; readonly status: 413 | 415; readonly message: string }
  /** The body will not arrive. */
  | { readonly kind: "lost"; readonly error: unknown };

/**
 * Reads a body up to its limit. Nothing is sent to the upstream before that, so a body that is too
 * large or of the wrong type does not reach it even in part.
 *
 * @param limit `limits.requestBytes`
 */
export async function readCallerBody(
  exchange: Exchange,
  operation: CallerOperation,
  media: MediaLimits,
  limit: number,
): Promise<CallerBody> {
  const { body, headers } = exchange;
  const types = valuesOf(headers, "content-type");
  const [type = ""] = types;
  const isUpload = UPLOADS.has(operation.name);
  const most = isUpload ? Math.min(limit, limitUpload(media, type)) : limit;
  const refused = isUpload
    ? refuseTooLarge(media)
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
  const checked = checkUpload(bytes ?? new Uint8Array(0), type, media, operation.name);
  return "bytes" in checked
    ? { kind: "whole", bytes: checked.bytes }
    : { kind: "refused", ...checked };
}
