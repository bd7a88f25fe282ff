import { toText } from "../bytes.ts";
import { AfterwordError } from "../../errors.ts";

/**
 * A key that signs access tokens: `id` stands in a token's header, so that the right one of several
 * verifies it.
 */
export interface SigningKey {
  readonly id: string;
  readonly key: Uint8Array;
}

const minimumBytes = 32;

/**
 * Signing keys out of secrets of at least 32 bytes each. The same secret may serve another purpose
 * elsewhere: what signs here is derived from it. Throws `argument-invalid` for no secret or a short
 * one.
 */
export function checkSecrets(secrets: readonly Uint8Array[]): void {
  if (secrets.length === 0) {
    throw new AfterwordError("argument-invalid", "Give at least one signing key.");
  }
  if (secrets.some((secret) => secret.byteLength < minimumBytes)) {
    throw new AfterwordError("argument-invalid", `A signing key needs ${minimumBytes} bytes.`);
  }
}

/** The keys in the order of their secrets. */
export function deriveKeys(secrets: readonly Uint8Array[]): Promise<readonly SigningKey[]> {
  return Promise.all(
    secrets.map(async (secret) => {
      const key = await derive(secret, "afterword access token key v1");
      const id = await derive(secret, "afterword access token key id v1");
      return { key, id: toText(id.subarray(0, 8)) };
    }),
  );
}

async function derive(secret: Uint8Array, purpose: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", Uint8Array.from(secret), algorithm, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(purpose)));
}
