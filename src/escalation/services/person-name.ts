import type { Person } from "../stores/record.ts";

/** What a person is called over there: the name, else the address, else `Guest`. */
export function personName({ name, email }: Person): string {
  const known = name.trim() === "" ? email.trim() : name.trim();
  return (known === "" ? "Guest" : known).slice(0, 500);
}
