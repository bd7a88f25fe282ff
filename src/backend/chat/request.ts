import type { Context } from "hono";
import type { z } from "zod";
import { networkOf } from "../../http/client-address.ts";
import { isMultipart } from "../../http/multipart.ts";
import { type FieldReasons, parseBy } from "../auth/handling.ts";
import type { Answer } from "../http/operation-routes.ts";
import { Refusal } from "../http/refusal.ts";
import {
  type Fields,
  fieldsOfMultipart,
  isNestedTooDeep,
  readBytes,
  readFields,
  readMultipart,
} from "../http/request-body.ts";
import { credentialsOf } from "./access.ts";
import type { Caller, ShownCredentials } from "./caller.ts";
import type { ChatOptions } from "./options.ts";
import type { Queries } from "../storage/tables/database.ts";
import { isObject, parseJson } from "../../json/values.ts";

/** A request whose credentials have been checked. */
export interface ChatRequest {
  readonly options: ChatOptions;
  /** Runs queries outside of a transaction. */
  readonly queries: Queries;
  readonly caller: Caller;
  readonly app: string;
  /** The `{id}` of the path. */
  readonly id: string;
  readonly sent: Sent;
  readonly query: Fields;
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;
  readonly headers: Headers;
  /** The credentials, kept to check them again later. */
  readonly shown: ShownCredentials;
  readonly signal: AbortSignal;
  /** The client's address as limits count it; empty where it is unknown. */
  readonly network: string;
  /** Breaks the connection off on a Node server; null elsewhere. */
  readonly breakOff: (() => void) | null;
}

export type ChatHandler = (request: ChatRequest) => Promise<Answer>;

export function chatRequestOf(
  c: Context,
  caller: Caller,
  sent: Sent,
  options: ChatOptions,
): ChatRequest {
  const { appId: _, secret: _secret, token: _token, ...query } = c.req.query();
  return {
    options,
    queries: options.database.kysely,
    caller,
    app: caller.app,
    id: c.req.param("id") ?? "",
    sent,
    query,
    idempotencyKey: c.req.header("idempotency-key") ?? null,
    lastEventId: c.req.header("last-event-id") ?? null,
    headers: c.req.raw.headers,
    shown: credentialsOf(c),
    signal: c.req.raw.signal,
    network: networkOf(options.peer?.(c) ?? ""),
    breakOff: breakOffOf(c.env),
  };
}

function breakOffOf(env: unknown): ChatRequest["breakOff"] {
  const outgoing = isObject(env) ? env["outgoing"] : null;
  if (!isObject(outgoing)) return null;
  const { destroy } = outgoing;
  return typeof destroy === "function" ? () => void Reflect.apply(destroy, outgoing, []) : null;
}

/** Reads the body by a schema. Throws 422 with the field's name and its reason, if there is one. */
export function parseFields<T>(
  schema: z.ZodType<T>,
  { sent }: ChatRequest,
  reasons?: FieldReasons,
): T {
  // PHP sends an empty list for an empty object (row 11 of the spellings).
  if (sent.list !== null && sent.list.length > 0)
    throw new Refusal(422, "The body must be an object, not a list.");
  return parseBy(schema, sent.fields, reasons);
}

/** Reads fields that may be in the body or in the query (row 5 of the spellings); the body wins. */
export function parseFieldsOrQuery<T>(schema: z.ZodType<T>, { query, sent }: ChatRequest): T {
  return parseBy(schema, { ...query, ...sent.fields });
}

/**
 * Returns the id of the person who acts: the token's own, or the one that the app's server names.
 *
 * @throws Refusal 403 for another's id, 422 when nobody is named
 */
export function actorOf({ caller }: ChatRequest, named: string | undefined, field: string): string {
  if (caller.person !== null) {
    if (named !== undefined && named !== caller.person.id) {
      throw new Refusal(403, `${field}: this token is another person's.`);
    }
    return caller.person.id;
  }
  if (named === undefined) throw new Refusal(422, `${field}: is missing`);
  return named;
}

/** A request body, in any encoding. */
interface Sent {
  readonly fields: Fields;
  /** The body's elements where it is a bare JSON list. */
  readonly list: readonly unknown[] | null;
  /** The first file of a multipart body, such as `media`. */
  readonly file: File | null;
}

/**
 * Reads a body: JSON, a form, multipart (a client resends its last upload with later calls, chat.md
 * 12), or nothing. Throws 413 and 422.
 */
export async function readRequestBody(request: Request, limit: number): Promise<Sent> {
  if (request.method === "GET" || request.body === null) return emptyBody;
  const bytes = await readBytes(request, limit);
  if (bytes === null) throw new Refusal(413, `The body is larger than ${limit} bytes.`);
  const type = request.headers.get("content-type") ?? "";
  if (isMultipart(type)) return readMultipartBody(bytes, type);
  const list = readBareList(bytes);
  if (list !== null) return { ...emptyBody, list };
  const read = await readFields(bytes, type);
  if (read.ok) return { ...emptyBody, fields: replaceHalfPairs(read.fields, read.text) };
  throw new Refusal(read.status, read.message);
}

const emptyBody: Sent = { fields: {}, list: null, file: null };

function readBareList(bytes: Uint8Array): readonly unknown[] | null {
  const text = new TextDecoder().decode(bytes).trimStart();
  if (!text.startsWith("[") || isNestedTooDeep(text)) return null;
  const value = parseJson(text);
  return Array.isArray(value) ? replaceHalfPairs(value, text) : null;
}

/**
 * Replaces halves of surrogate pairs by U+FFFD. Only escapes of JSON can write one, and many
 * receivers of webhooks refuse a body with one.
 */
function replaceHalfPairs<Value>(value: Value, json: string): Value {
  return /\\u[dD][89a-fA-F]/.test(json)
    ? JSON.parse(JSON.stringify(value, toWellFormedValue))
    : value;
}

/** Replaces half pairs in values and in the names of members. */
function toWellFormedValue(_: string, value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), member]),
  );
}

async function readMultipartBody(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Sent> {
  const form = await readMultipart(bytes, type);
  if (form === null)
    throw new Refusal(422, "The body is not multipart/form-data as its type says.");
  const entries = [...form.entries()];
  const named = entries.find(([name, value]) => name === "media" && isFile(value));
  const [, file] = named ?? entries.find(([, value]) => isFile(value)) ?? [];
  return { fields: fieldsOfMultipart(form), list: null, file: isFile(file) ? file : null };
}

function isFile(value: unknown): value is File {
  return value instanceof File;
}
