/** One part of a form. */
export interface FormPart {
  /** The name in the form, `media`; null without a name. */
  readonly name: string | null;
  /** The values of `filename` and `filename*`; empty for a field that is not a file. */
  readonly fileNames: readonly string[];
  /** The part's Content-Type in lower case, without parameters; null without one. */
  readonly type: string | null;
  readonly content: Uint8Array;
}

/** True for the type of forms that can hold files (RFC 7578). */
export function isMultipart(contentType: string): boolean {
  return /^\s*multipart\/form-data\b/i.test(contentType);
}

/** The boundary in a multipart content type (RFC 2046, 5.1.1), or null. */
export function boundaryOf(contentType: string): string | null {
  for (const parameter of contentType.split(";").slice(1)) {
    const found = /^boundary=(?:"([^"\r\n]{1,70})"|([^\s",]{1,70}))$/i.exec(parameter.trim());
    if (found !== null) return found[1] ?? found[2] ?? null;
  }
  return null;
}

/**
 * Reads the parts of a multipart/form-data body (RFC 7578). Null for a body that parsers may read in
 * different ways: with text before the first or after the last boundary, damaged part heads, folded
 * lines, two dispositions, a repeated parameter, or control characters in a name.
 */
export function readParts(body: Uint8Array, boundary: string): readonly FormPart[] | null {
  const delimiter = encodeLatin1(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  if (!startsWith(body, delimiter.subarray(2), 0)) return null;
  let at = delimiter.length - 2;
  for (;;) {
    if (startsWith(body, DASHES, at)) {
      const rest = body.subarray(at + 2);
      return rest.length === 0 || (rest.length === 2 && startsWith(rest, LINE, 0)) ? parts : null;
    }
    if (!startsWith(body, LINE, at)) return null;
    const headEnd = find(body, HEAD_END, at);
    if (headEnd === -1) return null;
    const contentStart = headEnd + HEAD_END.length;
    const contentEnd = find(body, delimiter, headEnd + 2);
    if (contentEnd === -1) return null;
    const part = readHead(decodeLatin1(body.subarray(at + 2, Math.max(at + 2, headEnd))));
    if (part === null) return null;
    parts.push({
      ...part,
      content: body.subarray(contentStart, Math.max(contentStart, contentEnd)),
    });
    if (parts.length > MAX_PARTS) return null;
    at = contentEnd + delimiter.length;
  }
}

const MAX_PARTS = 100;
const LINE = encodeLatin1("\r\n");
const DASHES = encodeLatin1("--");
const HEAD_END = encodeLatin1("\r\n\r\n");

function readHead(head: string): Omit<FormPart, "content"> | null {
  let disposition: string | null = null;
  let type: string | null = null;
  for (const line of head.split("\r\n")) {
    const [, name, value = ""] = /^([!-9;-~]+):(.*)$/s.exec(line) ?? [];
    if (name === undefined || /[\r\n\0]/.test(value)) return null;
    if (name.toLowerCase() === "content-disposition") {
      if (disposition !== null) return null;
      disposition = value.trimStart();
    } else if (name.toLowerCase() === "content-type") {
      if (type !== null) return null;
      type = value.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    }
  }
  if (disposition === null || !/^form-data\b/i.test(disposition)) return null;
  const names = new Map<string, string>();
  for (const [, parameter = "", value = ""] of disposition.matchAll(PARAMETERS)) {
    const name = parameter.toLowerCase();
    if (names.has(name) || /[^ -~\u0080-\u00ff]/.test(value)) return null;
    names.set(name, value.replace(/^"(.*)"$/s, "$1").replaceAll(/\\(.)/g, "$1"));
  }
  const fileNames = ["filename", "filename*"].flatMap((name) => names.get(name) ?? []);
  return { name: names.get("name") ?? null, fileNames, type };
}

const PARAMETERS = /;\s*(filename\*?|name)=("(?:[^"\\]|\\.)*"|[^\s;"]+)/gi;

function startsWith(body: Uint8Array, prefix: Uint8Array, at: number): boolean {
  if (at + prefix.length > body.length) return false;
  return prefix.every((byte, index) => body[at + index] === byte);
}

function find(body: Uint8Array, pattern: Uint8Array, from: number): number {
  const [first = 0] = pattern;
  for (let at = body.indexOf(first, from); at !== -1; at = body.indexOf(first, at + 1)) {
    if (startsWith(body, pattern, at)) return at;
  }
  return -1;
}

function encodeLatin1(value: string): Uint8Array {
  return Uint8Array.from(value, (character) => character.charCodeAt(0) & 0xff);
}

function decodeLatin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
