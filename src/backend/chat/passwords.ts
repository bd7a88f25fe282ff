import { toText } from "../bytes.ts";
import { sameDigest } from "./ids.ts";

/** How often a password is put through the function, unless a test takes fewer. */
export const USUAL_ROUNDS = 210_000;

/**
 * What is kept of a password that a person chose: PBKDF2 with SHA-512, whose rounds make guessing slow (NIST SP 800-132).
 *
 * @param salt 16 random bytes
 */
export async function passwordRecord(
  password: string,
  salt: Uint8Array,
  rounds: number,
): Promise<string> {
  const text = toText(salt);
  return `pbkdf2:${rounds}:${text}:${await derive(password, text, rounds)}`;
}

export async function passwordMatches(record: string, password: string): Promise<boolean> {
  const [kind, rounds = "", salt = "", hash = ""] = record.split(":");
  if (kind !== "pbkdf2" || !/^\d{1,7}$/.test(rounds)) return false;
  return sameDigest(hash, await derive(password, salt, Number(rounds)));
}

async function derive(password: string, salt: string, iterations: number): Promise<string> {
  const bytes = new TextEncoder().encode(password.normalize("NFC"));
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const algorithm = {
    name: "PBKDF2",
    hash: "SHA-512",
    salt: new TextEncoder().encode(salt),
    iterations,
  };
  return toText(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256)));
}
