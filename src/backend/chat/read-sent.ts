import { parseJson } from "../../json/values.ts";
import { Refusal } from "../refusal.ts";
import { readBytes, readFields, isNestedTooDeep } from "../request-body.ts";
import type { Fields } from "../request-body.ts";

/** A request body, whatever encoding it came in. */
export interface Sent {
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
export async function readSent(request: Request, limit: number): Promise<Sent> {
  if (request.method === "GET" || request.body === null) return nothing;
  const bytes = await readBytes(request, limit);
  if (bytes === null) throw new Refusal(413, `The body is larger than ${limit} bytes.`);
  const type = request.headers.get("content-type") ?? "";
  if (/^\s*multipart\/form-data/i.test(type)) return fromMultipart(bytes, type);
  const list = bareList(bytes);
  if (list !== null) return { ...nothing, list };
  const read = readFields(bytes, type);
  if (read.ok) return { ...nothing, fields: read.fields };
  throw new Refusal(read.status, read.message);
}

const nothing: Sent = { fields: {}, list: null, file: null };

function bareList(bytes: Uint8Array): readonly unknown[] | null {
  const text = new TextDecoder().decode(bytes).trimStart();
  if (!text.startsWith("[") || isNestedTooDeep(text)) return null;
  const value = parseJson(text);
  return Array.isArray(value) ? value : null;
}

async function fromMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Sent> {
  let form: FormData;
  try {
    form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw new Refusal(422, "The body is not multipart/form-data as its type says.");
  }
  const entries = [...form.entries()];
  const named = entries.find(([name, value]) => name === "media" && isFile(value));
  const [, file] = named ?? entries.find(([, value]) => isFile(value)) ?? [];
  const texts = entries.filter(([, value]) => typeof value === "string");
  return { fields: Object.fromEntries(texts), list: null, file: isFile(file) ? file : null };
}

function isFile(value: unknown): value is File {
  return value instanceof File;
}
