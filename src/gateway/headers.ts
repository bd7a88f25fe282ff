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

/** All values of a field in order, joined as RFC 9110 section 5.3 allows; null when the field is absent. */
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
    if (headers[i]?.slice(0, prefix.length).toLowerCase() === prefix) return true;
  }
  return false;
}

/** Comma-separated members of a list field, trimmed, empty ones left out. */
export function membersOf(value: string | null): string[] {
  if (value === null) return [];
  return value
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");
}

/** True when `candidate` is `name` in any case. The common exact spellings are compared first. */
export function isNamed(candidate: string, name: string): boolean {
  return candidate === name || candidate.toLowerCase() === name;
}
