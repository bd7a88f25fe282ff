import { sessionTokenOf } from "../../conversation/memory.ts";
import type { RawHeaders } from "../../http/types.ts";

/** First value of a field, or null. `name` is lower case. */
export function fieldOf(headers: RawHeaders, name: string): string | null {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (isNamed(headers[i] ?? "", name)) return headers[i + 1] ?? null;
  }
  return null;
}

/** A field's values in order, joined (RFC 9110 section 5.3); null when absent. */
export function joinedFieldOf(headers: RawHeaders, name: string): string | null {
  let joined: string | null = null;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (!isNamed(headers[i] ?? "", name)) continue;
    const value = headers[i + 1] ?? "";
    joined = joined === null ? value : `${joined}, ${value}`;
  }
  return joined;
}

/** True when any field name starts with `prefix` (lower case). */
export function hasFieldPrefix(headers: RawHeaders, prefix: string): boolean {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (startsNamed(headers[i] ?? "", prefix)) return true;
  }
  return false;
}

/** The conversation's session token; null without one. */
export function sessionOf(headers: RawHeaders): string | null {
  return sessionTokenOf(fieldOf(headers, "x-inbenta-session"));
}

/** True for a message of somebody who tries the bot, and is no reader. */
export function isTest(headers: RawHeaders): boolean {
  return fieldOf(headers, "x-afterword-test") !== null;
}

/** The token of `Bearer <token>`, or of the token alone. */
export function bearerOf(authorization: string): string {
  return authorization.replace(/^bearer\s+/i, "").trim();
}

/** Comma-separated members of a list field, trimmed, empty ones left out. */
export function membersOf(value: string | null): string[] {
  if (value === null) return [];
  return value
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");
}

/** True when `candidate` is `name` (lower case) in any case. */
export function isNamed(candidate: string, name: string): boolean {
  return candidate.length === name.length && startsNamed(candidate, name);
}

/** Tells whether a name, in any case, is one of these (lower case). */
export function createFieldTest(names: readonly string[]): (name: string) => boolean {
  const byLength: string[][] = [];
  for (const name of names) (byLength[name.length] ??= []).push(name);
  return (name) => {
    for (const one of byLength[name.length] ?? none) if (isNamed(name, one)) return true;
    return false;
  };
}

const none: readonly string[] = [];

/**
 * Compares letter by letter, because most names differ in the first one, and a lower-case copy
 * would cost more.
 */
function startsNamed(candidate: string, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const letter = candidate.charCodeAt(i);
    const lower = letter >= 0x41 && letter <= 0x5a ? letter | 0x20 : letter;
    if (lower !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** A field value or reason phrase, one char per byte (RFC 9110 section 5.5, RFC 9112 section 4). */
export const plainText: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;
