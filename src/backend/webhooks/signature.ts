import { encodeUtf8, signHmacHex } from "../../json/bytes.ts";

/**
 * Computes the value of `x-afterword-signature`: `v1=` and the HMAC-SHA256 in hex of the timestamp,
 * a dot, and the body's bytes. The timestamp is signed so that a receiver can refuse a replay.
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
