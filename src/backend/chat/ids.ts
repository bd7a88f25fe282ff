import { LRUCache } from "lru-cache";
import { hashSha256Hex, toBase64Url } from "../../json/bytes.ts";

/** Creates an unguessable id: 128 random bits as 22 letters, digits, `-` and `_`. */
export function createId(random: (length: number) => Uint8Array): string {
  return toBase64Url(random(16));
}

/** A secret or token: 256 random bits. */
export function createSecret(random: (length: number) => Uint8Array): string {
  return toBase64Url(random(32));
}

/** SHA-256 in hexadecimal, which is stored instead of secrets and tokens. */
export async function digestOf(text: string): Promise<string> {
  return hashSha256Hex(text);
}

/** Compares texts in a time that does not depend on where they differ. */
export function isSameDigest(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ (b.charCodeAt(index) || 0);
  }
  return difference === 0;
}

/** As {@link digestOf} with a cache, because every message has the same token. */
export function createRememberedDigests(most = 1_000): typeof digestOf {
  const known = new LRUCache<string, Promise<string>>({ max: most });
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const digest = digestOf(text);
    known.set(text, digest);
    return digest;
  };
}
