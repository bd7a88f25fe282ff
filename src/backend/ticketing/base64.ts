/**
 * Bytes of base64 text (RFC 4648, 4); null for anything else, non-zero spare bits included. Padding
 * may be missing, and line breaks may stand in it, as in mails (RFC 2045, 6.8).
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const letters = text.replaceAll(/[\r\n]+/g, "");
  const [plain = "", padding = ""] = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(letters)?.slice(1) ?? [];
  if (plain.length + padding.length !== letters.length) return null;
  const spare = plain.length % 4;
  // A single letter over is no byte; padding fills up to four letters or is not there.
  if (spare === 1 || (padding !== "" && padding.length !== 4 - spare)) return null;
  const decoded = atob(plain);
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < decoded.length; index += 1) bytes[index] = decoded.charCodeAt(index);
  if (spare === 0) return bytes;
  const tail = btoa(decoded.slice(-(spare - 1)));
  return plain.endsWith(tail.slice(0, spare)) ? bytes : null;
}
