/** UTF-8 bytes of a text. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Joins chunks that have `size` bytes together; a single chunk is returned as it is. */
export function joinChunks<Buffer extends ArrayBufferLike>(
  chunks: readonly Uint8Array<Buffer>[],
  size: number,
): Uint8Array<Buffer | ArrayBuffer> {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** SHA-256 of a text or bytes. */
export async function hashSha256(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const bytes = typeof content === "string" ? encodeUtf8(content) : content;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** SHA-256 of a text, as {@link toHex} writes it. */
export async function hashSha256Hex(text: string): Promise<string> {
  return toHex(await hashSha256(text));
}

/** HMAC-SHA256 of a text or bytes, keyed with a text, as {@link toHex} writes it. */
export async function signHmacHex(
  secret: string,
  signed: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encodeUtf8(secret), hash, false, ["sign"]);
  const bytes = typeof signed === "string" ? encodeUtf8(signed) : signed;
  return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes)));
}

// Node 24 has neither `toHex` nor `toBase64` of bytes, and workers have no `Buffer`.

/** Bytes as hexadecimal text in lower case. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads back the text that {@link toHex} wrote. */
export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Bytes as base64 (RFC 4648, 4). */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // The number of arguments of a call is limited, so the bytes are passed in pieces.
  for (let at = 0; at < bytes.length; at += 16_384) {
    text += String.fromCharCode(...bytes.subarray(at, at + 16_384));
  }
  return btoa(text);
}

/** Decodes base64; null when the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Bytes as text that fits a header, a URL and a file: base64url without padding (RFC 4648, 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes base64url, padded or not; null when the text is not base64url. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

/** Compares texts in a time that does not depend on where they differ. */
export function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) {
    difference |= a.charCodeAt(at) ^ (b.charCodeAt(at) || 0);
  }
  return difference === 0;
}
