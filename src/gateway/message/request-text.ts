import { scan } from "../../json/scan.ts";
import { compileShape } from "../../json/shape.ts";
import { textOf } from "../../json/text.ts";
import type { JsonNode } from "../../json/types.ts";

/** A request body's fields in clients' spellings; without null and structured values. */
export type RequestFields = ReadonlyMap<string, string>;

/**
 * Reads the named fields of a request body that may be JSON under any media type, or form-encoded
 * (chatbot.md, 8.4). Numbers and booleans come as their JSON text. Anything unreadable gives no
 * fields: the upstream judges the request.
 */
export function createFieldReader(names: readonly string[]): (body: Uint8Array) => RequestFields {
  const shape = compileShape({ fields: Object.fromEntries(names.map((name) => [name, {}])) });

  return (body) => {
    const first = body.find(
      (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
    );
    if (first === undefined) return nothing;
    if (first !== 0x7b && first !== 0xef) return fromForm(body, names);
    const root = scan(body, shape);
    if (root?.kind !== "object") return nothing;
    const fields = new Map<string, string>();
    for (const [name, node] of root.fields) {
      const text = plainText(body, node);
      if (text !== null) fields.set(name, text);
    }
    return fields;
  };
}

const nothing: RequestFields = new Map();
// A question is at most 256 characters; a form that is larger than this is not one we read.
const largestForm = 64 * 1024;

function plainText(body: Uint8Array, node: JsonNode): string | null {
  if (node.kind === "string") return textOf(body, node);
  if (node.kind === "number" || node.kind === "true" || node.kind === "false") {
    return new TextDecoder().decode(body.subarray(node.start, node.end));
  }
  return null;
}

function fromForm(body: Uint8Array, names: readonly string[]): RequestFields {
  if (body.length > largestForm) return nothing;
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const fields = new Map<string, string>();
  for (const name of names) {
    const value = form.get(name);
    if (value !== null) fields.set(name, value);
  }
  return fields;
}
