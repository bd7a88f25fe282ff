import { z } from "zod";
import { LIMITS } from "../call/limits.ts";

/**
 * A new password of an agent (OWASP ASVS 2.1.1, 2.1.7). The shortest length is in characters, the
 * longest in UTF-16 code units. Logins accept any text, so that older passwords still work.
 */
export const newPassword = z
  .string()
  .max(LIMITS.secret)
  .refine((password) => Array.from(password).length >= 12, {
    error: "must have at least 12 characters",
  })
  .refine((password) => !isCommon(password), {
    error: "is among the passwords that attackers try first. Choose one that is harder to guess",
  });

/** True for a common word, alone, twice or among digits, for a run of keys, and for a repeated short part. */
function isCommon(password: string): boolean {
  const text = password.normalize("NFKC").toLowerCase();
  if (keyRuns.some((run) => run.includes(text))) return true;
  if ([1, 2, 3, 4].some((length) => repeats(text, length))) return true;
  const letters = text.replaceAll(/[^\p{L}]/gu, "");
  const half = letters.slice(0, letters.length / 2);
  return commonWords.has(letters) || (letters === half + half && commonWords.has(half));
}

function repeats(text: string, length: number): boolean {
  return text.startsWith(text.slice(length)) && text.length >= 2 * length;
}

const keyRuns = [
  "01234567890123456789",
  "98765432109876543210",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
];

const commonWords: ReadonlySet<string> = new Set([
  "password",
  "passwort",
  "motdepasse",
  "contraseña",
  "wachtwoord",
  "passord",
  "senha",
  "haslo",
  "qwerty",
  "qwertz",
  "azerty",
  "qwertyuiop",
  "abc",
  "abcd",
  "qwe",
  "asdf",
  "zxcvbnm",
  "qazwsx",
  "admin",
  "administrator",
  "root",
  "user",
  "test",
  "guest",
  "login",
  "secret",
  "default",
  "welcome",
  "letmein",
  "changeme",
  "changethis",
  "iloveyou",
  "trustno",
  "opensesame",
  "master",
  "agent",
  "support",
  "helpdesk",
  "chat",
  "company",
  "demo",
  "demoagent",
  "afterword",
  "monkey",
  "dragon",
  "sunshine",
  "princess",
  "football",
  "baseball",
  "superman",
  "batman",
  "summer",
  "winter",
  "spring",
  "autumn",
  "january",
  "december",
  "monday",
  "correcthorsebatterystaple",
  "mypassword",
  "thisisapassword",
]);
