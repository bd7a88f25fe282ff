import type { Person } from "../record.ts";

/** What somebody is called over there: the name they told, else their address, else `Guest`. */
export function personName({ name, email }: Person): string {
  const told = name.trim() === "" ? email.trim() : name.trim();
  return (told === "" ? "Guest" : told).slice(0, 500);
}
