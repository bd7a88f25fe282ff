import { base64url } from "jose";

/** Random or hashed bytes as base64url without padding, for headers, URLs and file names. */
export function toText(bytes: Uint8Array): string {
  return base64url.encode(bytes);
}

/** Bytes as hexadecimal text in lower case. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What {@link toHex} was given. */
export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** HMAC-SHA256 of a text or bytes, keyed with a text, in hexadecimal. */
export async function hmacOf(
  secret: string,
  signed: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), hash, false, ["sign"]);
  const bytes = typeof signed === "string" ? utf8(signed) : signed;
  return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes)));
}

/** SHA-256 of a text. */
export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text)));
}
