import { readParts } from "../../http/multipart.ts";
import { scan } from "../../json/scan.ts";
import { compileShape } from "../../json/shape.ts";
import { readScalar } from "../../json/text.ts";

/** A request body's fields in clients' spellings; without null and structured values. */
export type RequestFields = ReadonlyMap<string, string>;

/**
 * Reads the named fields of a request body that may be JSON under any media type, form-encoded,
 * or multipart (chatbot.md, 8.4). Numbers and booleans are returned as JSON text. An unreadable
 * body has no fields: the upstream decides what to answer.
 */
export function createFieldReader(names: readonly string[]): (body: Uint8Array) => RequestFields {
  const shape = compileShape({ fields: Object.fromEntries(names.map((name) => [name, {}])) });

  return (body) => {
    const first = body.find(
      (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
    );
    if (first === undefined) return noFields;
    if (first !== 0x7b && first !== 0xef) return readForm(body, names);
    const root = scan(body, shape);
    if (root?.kind !== "object") return noFields;
    const fields = new Map<string, string>();
    for (const [name, node] of root.fields) {
      const text = readScalar(body, node);
      if (text !== null) fields.set(name, text);
    }
    return fields;
  };
}

const noFields: RequestFields = new Map();
/** A question has at most 256 characters. A larger form probably holds a file, and is not read. */
const maxFormBytes = 256 * 1024;

function readForm(body: Uint8Array, names: readonly string[]): RequestFields {
  if (body.length > maxFormBytes) return noFields;
  const text = new TextDecoder().decode(body);
  const form = text.startsWith("--") ? readMultipart(body, text) : new URLSearchParams(text);
  const fields = new Map<string, string>();
  for (const name of names) {
    const value = form.get(name) ?? null;
    if (value !== null) fields.set(name, value);
  }
  return fields;
}

/** The texts of a multipart body by name; its first line is the boundary. */
function readMultipart(body: Uint8Array, text: string): RequestFields {
  const parts = readParts(body, text.slice(2, Math.max(2, text.indexOf("\r\n")))) ?? [];
  return new Map(
    parts.flatMap(({ name, fileNames, content }) =>
      name === null || fileNames.length > 0 ? [] : [[name, new TextDecoder().decode(content)]],
    ),
  );
}
