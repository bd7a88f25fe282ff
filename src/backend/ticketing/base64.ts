/** Bytes of base64 text with padding (RFC 4648, 4); null for anything else, line breaks and non-zero spare bits included. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const decoded = atob(text);
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < decoded.length; index += 1) bytes[index] = decoded.charCodeAt(index);
  const tail =
    text.length === 0 ? "" : btoa(decoded.slice(Math.floor((decoded.length - 1) / 3) * 3));
  return text.endsWith(tail) ? bytes : null;
}
