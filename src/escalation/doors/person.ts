import type { Person } from "../record.ts";

/** What somebody is called over there: the name they told, else their address, else `Guest`. */
export function nameOf({ name, email }: Person): string {
  const told = name.trim() === "" ? email.trim() : name.trim();
  return (told === "" ? "Guest" : told).slice(0, 500);
}

/** Agents are chosen by language without region (ISO 639-1): `pt-BR` is `pt`. */
export function languageOf(tag: string): string {
  return (tag.split(/[-_]/, 1)[0] ?? "").trim().toLowerCase();
}
