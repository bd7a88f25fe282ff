import { toText } from "../bytes.ts";

/** An id that nobody guesses: 128 random bits as 22 letters, digits, `-` and `_`. */
export function newId(random: (length: number) => Uint8Array): string {
  return toText(random(16));
}

/** A secret or token: 256 random bits. */
export function newSecret(random: (length: number) => Uint8Array): string {
  return toText(random(32));
}

/** SHA-256 of a text, as hexadecimal text: what is kept of secrets and tokens. */
export async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toHex(new Uint8Array(bytes));
}

/** Bytes as hexadecimal text. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** True for equal texts; how long it takes tells nothing about where they differ. */
export function sameDigest(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ (b.charCodeAt(index) || 0);
  }
  return difference === 0;
}

/** An id as messages repeat it: short, and nothing in it that is not printable. */
export function shown(id: string): string {
  const text = id.replaceAll(/[^\x20-\x7e]/g, "?");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
