import { fromBase64, hashSha256, toBase64, toHex, encodeUtf8 } from "../../json/bytes.ts";

/** Encrypts the texts of a store outside this process. */
export interface Sealing {
  /** @param entryKey the key of the text's entry; the text can be opened only with the same key */
  seal(text: string, entryKey: string): Promise<string>;
  /**
   * Decrypts a text; null when it is damaged, belongs to another entry, or none of the keys opens
   * it.
   */
  open(stored: string, entryKey: string): Promise<string | null>;
  /** True if it was sealed with the first key. */
  isCurrent(stored: string): boolean;
}

/** Without a key, texts stay as they are, and sealed ones cannot be opened. */
export const unsealed: Sealing = {
  seal: async (text) => text,
  open: async (stored) => (isSealed(stored) ? null : stored),
  isCurrent: (stored) => !isSealed(stored),
};

/**
 * Creates a sealing with AES-256-GCM. The first key seals, and every key opens. A text that was
 * stored without a key stays readable until it is written again. Each text has a random nonce, so a
 * key may seal about 4 billion texts (NIST SP 800-38D, 8.3).
 *
 * @param keys of 32 bytes each; without one, texts stay unsealed
 */
export async function createSealing(keys: readonly Uint8Array[]): Promise<Sealing> {
  const known = new Map<string, CryptoKey>();
  for (const bytes of keys) known.set(await nameOf(bytes), await importKey(bytes));
  const [first] = known;
  if (first === undefined) return unsealed;
  const [current, sealingKey] = first;

  return {
    async seal(text, entryKey) {
      const iv = crypto.getRandomValues(new Uint8Array(nonceLength));
      const parameters = { name: "AES-GCM", iv, additionalData: encodeUtf8(entryKey) };
      const sealed = await crypto.subtle.encrypt(parameters, sealingKey, encodeUtf8(text));
      const whole = new Uint8Array(nonceLength + sealed.byteLength);
      whole.set(iv);
      whole.set(new Uint8Array(sealed), nonceLength);
      return `${mark}${current}:${toBase64(whole)}`;
    },
    async open(stored, entryKey) {
      if (!isSealed(stored)) return stored;
      const [name = "", content = ""] = stored.slice(mark.length).split(":", 2);
      const key = known.get(name);
      const whole = fromBase64(content);
      if (key === undefined || whole === null || whole.length < nonceLength) return null;
      const iv = whole.slice(0, nonceLength);
      const parameters = { name: "AES-GCM", iv, additionalData: encodeUtf8(entryKey) };
      try {
        const text = await crypto.subtle.decrypt(parameters, key, whole.slice(nonceLength));
        return new TextDecoder().decode(text);
      } catch {
        return null;
      }
    },
    isCurrent: (stored) => stored.startsWith(`${mark}${current}:`),
  };
}

/** No JSON text begins like this. */
const mark = "sealed:1:";
const nonceLength = 12;

function isSealed(stored: string): boolean {
  return stored.startsWith(mark);
}

/** Identifies a key without revealing it, by the beginning of a digest. */
async function nameOf(key: Uint8Array): Promise<string> {
  return toHex(await hashSha256(Uint8Array.from(key))).slice(0, 16);
}

function importKey(key: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", Uint8Array.from(key), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
}
