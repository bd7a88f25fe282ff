import { toHex, utf8 } from "../bytes.ts";

/** `X-Hook-Signature`: HMAC-SHA256 of the body as sent, keyed with the secret, in hexadecimal. */
export async function signatureOf(secret: string, body: string): Promise<string> {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), hash, false, ["sign"]);
  return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(body))));
}
