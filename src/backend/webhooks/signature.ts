import { toHex, utf8 } from "../bytes.ts";

/**
 * The value of `x-afterword-signature`: `v1=` and HMAC-SHA256 in hex, over the timestamp, a point,
 * and the body's bytes. The timestamp is part of it, so that a receiver can refuse a call that
 * somebody recorded and sends again later.
 *
 * @param timestamp as in `x-afterword-timestamp`: seconds since the epoch
 */
export async function signatureOf(
  secret: string,
  timestamp: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), hash, false, ["sign"]);
  const prefix = utf8(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return `v1=${toHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)))}`;
}
