/** A file as `multipart/form-data` (RFC 7578), with fields before it. */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: {
    readonly field: string;
    readonly name: string;
    readonly type: string;
    readonly bytes: Uint8Array;
  },
): { readonly type: string; readonly content: Uint8Array } {
  // Random, so that nothing that a reader wrote can end a part.
  const boundary = `afterword-${crypto.randomUUID()}`;
  const head = Object.entries(fields)
    .map(([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`)
    .join("");
  const about = `${disposition(file.field)}; filename="${quoted(file.name)}"\r\nContent-Type: ${inOneLine(file.type)}`;
  const encoder = new TextEncoder();
  const before = encoder.encode(`${head}--${boundary}\r\n${about}\r\n\r\n`);
  const after = encoder.encode(`\r\n--${boundary}--\r\n`);
  const content = new Uint8Array(before.length + file.bytes.length + after.length);
  content.set(before);
  content.set(file.bytes, before.length);
  content.set(after, before.length + file.bytes.length);
  return { type: `multipart/form-data; boundary=${boundary}`, content };
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quoted(name)}"`;
}

/** As browsers do it (HTML, 4.10.21.8). */
function quoted(text: string): string {
  return text.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

function inOneLine(text: string): string {
  return text.replaceAll(/[\r\n]/g, "");
}
