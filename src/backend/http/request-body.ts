import { joinChunks } from "../../json/bytes.ts";
import { isRecord, parseJson, isObject } from "../../json/values.ts";
import { isAfterwordError } from "../../errors.ts";
import { isMultipart } from "../../http/multipart.ts";
import { holdBytes } from "./middleware.ts";
import { Refusal, describeTooLarge, toPrintable } from "./refusal.ts";

/** Bytes that a request for a token or a login may have, because its sender is still unknown. */
export const AUTHENTICATION_BODY = 16_384;

/** A request body as a plain object, whatever encoding it came in. */
export type Fields = Readonly<Record<string, unknown>>;

/** `text` is the body as it came: a form's values may be meant raw, not percent-encoded. */
export type ReadBody =
  | { readonly ok: true; readonly fields: Fields; readonly text: string }
  // 422 and not 400, which clients of the chatbot take for an expired session.
  | { readonly ok: false; readonly status: 413 | 422; readonly message: string };

/**
 * Reads a body of at most `limit` bytes. Accepted: JSON under any JSON or text type, with a stray
 * comma in the type, or with no type at all; form encoding and multipart with bracket nesting; a
 * form type around JSON, as command-line clients send by default. An empty body, `[]`, `null`,
 * `false` and `""` are an empty object: clients encode their lack of data in all these ways. A
 * larger body is 413, and one that can't be read 422.
 */
export async function readBody(request: Request, limit: number): Promise<ReadBody> {
  const bytes = await readBytes(request, limit);
  return bytes === null
    ? { ok: false, status: 413, message: describeTooLarge(limit) }
    : readFields(bytes, request.headers.get("content-type") ?? "");
}

/** As {@link readBody}, of a body that has been read already. */
export async function readFields(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<ReadBody> {
  const form = isMultipart(type) ? await readMultipart(bytes, type) : null;
  if (form !== null) return { ok: true, fields: fieldsOfMultipart(form), text: "" };
  const text = decode(bytes);
  if (text === null) return refuse("The body is not UTF-8 text.");
  if (isNestedTooDeep(text)) return refuse(`The body is nested more than ${DEEPEST} levels deep.`);
  const fields = parse(text, type);
  return fields === null
    ? refuse("The body is neither a JSON object nor a form.")
    : { ok: true, fields, text };
}

function refuse(message: string): ReadBody {
  return { ok: false, status: 422, message };
}

/** The parts of a multipart body, or null when it is none. */
export async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<FormData | null> {
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    return null;
  }
}

/** The texts of a multipart form, nested by brackets; its files are left out. */
export function fieldsOfMultipart(form: FormData): Fields {
  const root = emptyNode();
  for (const [name, value] of [...form].slice(0, maxPairs)) {
    if (typeof value === "string") putNamed(root, name, value);
  }
  return root;
}

function parse(text: string, type: string): Fields | null {
  if (text.trim() === "") return {};
  const json = parseJson(text);
  const fields = toFields(json);
  if (fields !== null) return fields;
  const isForm = /^application\/x-www-form-urlencoded/i.test(type.trim());
  if (json !== undefined && !isForm) return null;
  const isJson = /json/i.test(type);
  const looksLikeForm = /^[\w.[\]-]+=/.test(text);
  return isForm || (!isJson && looksLikeForm) ? parseForm(text) : null;
}

function toFields(value: unknown): Fields | null {
  const isEmpty = value === null || value === false || value === "";
  if (isEmpty || (Array.isArray(value) && value.length === 0)) return {};
  return isRecord(value) ? value : null;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Null for more than `limit` decoded bytes. A declared length over the limit is refused before a
 * byte is read. Throws a {@link Refusal} for a body that breaks off (the client left, and nobody is
 * at fault), for one that there is no room for, and for one whose coding is unknown or not what it
 * says.
 */
export async function readBytes(
  request: Request,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await readUpTo(request, limit);
  } catch (cause) {
    // A gateway in this process ends the body at its own limit.
    if (isAfterwordError(cause) && cause.code === "body-too-large") return null;
    if (cause instanceof Refusal) throw cause;
    throw new Refusal(408, "The body did not come whole.");
  }
}

async function readUpTo(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > limit) return null;
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity" && coding !== "") return readCoded(request, coding, limit);
  if (declared === null || Number(declared) > atOnce) {
    return readStream(request, request.body, limit);
  }
  // No more than the declared length arrives, and reading the body as a whole avoids the objects of
  // a stream.
  const bytes = new Uint8Array(await request.arrayBuffer());
  holdBytes(request, bytes.byteLength);
  return bytes.byteLength > limit ? null : bytes;
}

/** In bytes; no more than a connection buffers of an unread body. */
const atOnce = 65_536;

/** Reads a body in a content coding. Some clients compress all that they send. */
async function readCoded(
  request: Request,
  coding: string,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const format = formats.get(coding);
  if (format === undefined) {
    const accepted = { "accept-encoding": "gzip, deflate" };
    const message = `A body in the coding "${toPrintable(coding)}" can't be read here: send it without, or as gzip.`;
    throw new Refusal(415, message, {}, accepted);
  }
  const plain = request.body?.pipeThrough(new DecompressionStream(format)) ?? null;
  return readStream(request, plain, limit).catch((cause: unknown) => {
    if (!(cause instanceof TypeError)) throw cause;
    throw new Refusal(422, `The body is not ${coding}, as its Content-Encoding says.`);
  });
}

const formats: ReadonlyMap<string, "gzip" | "deflate"> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
] as const);

async function readStream(
  request: Request,
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // A cancelled body would break the connection off, before its client has read the answer.
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.byteLength;
    if (size > limit) return null;
    holdBytes(request, chunk.byteLength);
    chunks.push(chunk);
  }
  return joinChunks(chunks, size);
}

/** Nesting limit of a JSON body, as it is read recursively. */
const DEEPEST = 100;

/** True for JSON nested deeper than {@link DEEPEST}, checked before parsing. */
export function isNestedTooDeep(text: string): boolean {
  // A form may have any brackets in its values.
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charCodeAt(index);
    if (sign === quote) index = endOfText(text, index);
    else if (sign === openList || sign === openObject) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (sign === closeList || sign === closeObject) depth -= 1;
  }
  return false;
}

const quote = 0x22;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quote that ends the text beginning at `start`. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index;
  while (text[before - 1] === "\\") before -= 1;
  return (index - before) % 2 === 1;
}

// Far more than any client sends; a form is small, and one made to be costly is not read further.
const maxPairs = 1000;
const maxDepth = 8;

interface Node {
  [name: string]: string | Node;
}

/**
 * Form encoding with bracket nesting: `a[b]=1&a[c][]=2&a[c][]=3` is
 * `{a: {b: "1", c: {0: "2", 1: "3"}}}`. Lists come out as objects with number keys, which readers
 * of lists accept. A value that is not valid percent-encoding stays as it was sent.
 */
export function parseForm(text: string): Fields {
  const root = emptyNode();
  for (const pair of text.split("&", maxPairs)) {
    const equals = pair.indexOf("=");
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals));
    putNamed(root, name, equals === -1 ? "" : decodePart(pair.slice(equals + 1)));
  }
  return root;
}

/** Puts a value where the name's brackets say. A name that is empty or too deep is left out. */
function putNamed(root: Node, name: string, value: string): void {
  const path = pathOf(name);
  if (path.length > 0 && path.length <= maxDepth) put(root, path, value);
}

/** The value of the first pair called `name`, as it was sent and not decoded, or null. */
export function readRawFormValue(text: string, name: string): string | null {
  for (const pair of text.split("&", maxPairs)) {
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1).trim();
  }
  return null;
}

function pathOf(name: string): readonly string[] {
  // One part more than is read, so that a name of megabytes is not split as a whole.
  const [head = "", ...rest] = name.trim().split("[", maxDepth + 1);
  return head === "" ? [] : [head, ...rest.map((part) => part.replace(/\]$/, ""))];
}

function put(node: Node, path: readonly string[], value: string): void {
  const [head = "", ...rest] = path;
  const key = head === "" ? String(Object.keys(node).length) : head;
  if (rest.length === 0) {
    node[key] = value;
    return;
  }
  const existing = node[key];
  const child = typeof existing === "object" ? existing : emptyNode();
  node[key] = child;
  put(child, rest, value);
}

// Without a prototype a field called `__proto__` is a field like any other.
function emptyNode(): Node {
  const node: Node = Object.create(null);
  return node;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}

/** Lenient readers: clients send numbers as text, booleans as numbers, lists as objects. */

/** A string as it is; a number or boolean as text; anything else is null. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** A whole number from 0 on, also as text; anything else is null. */
export function countOf(value: unknown): number | null {
  const text = textOf(value)?.trim() ?? "";
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(count) ? count : null;
}

/** true/false and 1/0, also as text in any case; anything else is null. */
export function booleanOf(value: unknown): boolean | null {
  const text = textOf(value)?.trim().toLowerCase() ?? "";
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : null;
}

/** The members of an object; empty for anything else. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isRecord(value) ? Object.entries(value) : []);
}

/** Elements of an array or values of an object (lists in forms); a bare text is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isObject(value)) return Object.values(value);
  return textOf(value) === null ? [] : [value];
}
