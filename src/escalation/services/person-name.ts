import type { Person } from "../stores/record.ts";

/** Chooses a person's name at the service: the name, else the address, else `Guest`. */
export function choosePersonName({ name, email }: Person): string {
  const known = name.trim() === "" ? email.trim() : name.trim();
  return (known === "" ? "Guest" : known).slice(0, 500);
}
