import { encodeUtf8, signHmacHex } from "../../json/bytes.ts";

/**
 * The value of `x-afterword-signature`: `v1=` and HMAC-SHA256 in hex, over the timestamp, a point,
 * and the body's bytes. The timestamp is part of it, so that a receiver can refuse a call that
 * was recorded and is sent again later.
 *
 * @param timestamp as in `x-afterword-timestamp`: seconds since the epoch
 */
export async function signatureOf(
  secret: string,
  timestamp: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const prefix = encodeUtf8(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return `v1=${await signHmacHex(secret, signed)}`;
}
