import { toText } from "../bytes.ts";
import { sameDigest } from "./ids.ts";

/** How often a password is put through the function, unless a test takes fewer. */
export const USUAL_ROUNDS = 210_000;

/** 256 bits by PBKDF2 with SHA-512 (NIST SP 800-132). It takes a tenth of a second, on purpose. */
export type Derive = (password: string, salt: string, rounds: number) => Promise<Uint8Array>;

/**
 * What is kept of a password: derived with many rounds, which make guessing slow. `salt` is 16
 * random bytes.
 */
export async function passwordRecord(
  password: string,
  salt: Uint8Array,
  rounds: number,
  derive: Derive = derivedHere,
): Promise<string> {
  const text = toText(salt);
  return `pbkdf2:${rounds}:${text}:${toText(await derive(normal(password), text, rounds))}`;
}

export async function passwordMatches(
  record: string,
  password: string,
  derive: Derive,
): Promise<boolean> {
  const [kind, rounds = "", salt = "", hash = ""] = record.split(":");
  if (kind !== "pbkdf2" || !/^\d{1,7}$/.test(rounds)) return false;
  return sameDigest(hash, toText(await derive(normal(password), salt, Number(rounds))));
}

/** By the platform's own cryptography. */
export const derivedHere: Derive = async (password, salt, iterations) => {
  const text = new TextEncoder();
  const bytes = text.encode(password);
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-512", salt: text.encode(salt), iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
};

function normal(password: string): string {
  return password.normalize("NFC");
}
