import type { RawHeaders } from "./exchange.ts";

/** First value of a field, or null. `name` is lower case. */
export function fieldOf(headers: RawHeaders, name: string): string | null {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const candidate = headers[i];
    if (candidate?.length === name.length && isNamed(candidate, name))
      return headers[i + 1] ?? null;
  }
  return null;
}

/**
 * All values of a field in order, joined as RFC 9110 section 5.3 allows; null when the field is
 * absent.
 */
export function joinedFieldOf(headers: RawHeaders, name: string): string | null {
  let joined: string | null = null;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const candidate = headers[i];
    if (candidate?.length !== name.length || !isNamed(candidate, name)) continue;
    const value = headers[i + 1] ?? "";
    joined = joined === null ? value : `${joined}, ${value}`;
  }
  return joined;
}

/** True when any field name starts with `prefix` (lower case). */
export function hasFieldPrefix(headers: RawHeaders, prefix: string): boolean {
  for (let i = 0; i < headers.length; i += 2) {
    if (startsNamed(headers[i] ?? "", prefix)) return true;
  }
  return false;
}

/**
 * Tells whether a field name, in any case, is one of these (lower case, under 32 characters). Most
 * names are told apart by their length and first letter, before anything is copied into lower case.
 */
export function fieldNames(names: readonly string[]): (name: string) => boolean {
  const known: ReadonlySet<string> = new Set(names);
  // For every length a bit for each letter that a name of that length begins with, whatever its
  // case.
  const letters = new Uint32Array(32);
  for (const name of names) letters[name.length] = (letters[name.length] ?? 0) | bitOf(name);
  return (name) =>
    name.length < 32 &&
    ((letters[name.length] ?? 0) & bitOf(name)) !== 0 &&
    known.has(name.toLowerCase());
}

function bitOf(name: string): number {
  return 1 << (name.charCodeAt(0) & 31);
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

/**
 * Names are ASCII. Letter by letter: most differ in the first, and a copy in lower case costs more
 * than all of them.
 */
function startsNamed(candidate: string, name: string): boolean {
  if (candidate.length < name.length) return false;
  for (let i = 0; i < name.length; i++) {
    const letter = candidate.charCodeAt(i);
    const lower = letter >= 0x41 && letter <= 0x5a ? letter | 0x20 : letter;
    if (lower !== name.charCodeAt(i)) return false;
  }
  return true;
}
