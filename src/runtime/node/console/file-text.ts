import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

/** A file's text as it is compared and restored, with its byte order mark; null: there is none. */
export function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** SHA-256, hexadecimal. */
export function hashOf(text: string | null): string | null {
  return text === null ? null : createHash("sha256").update(text).digest("hex");
}
