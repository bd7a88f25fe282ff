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

/** As {@link hashSha256Hex} with a cache, because every message has the same token. */
export function createRememberedDigests(most = 1_000): typeof hashSha256Hex {
  const known = new LRUCache<string, Promise<string>>({ max: most });
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const digest = hashSha256Hex(text);
    known.set(text, digest);
    return digest;
  };
}
