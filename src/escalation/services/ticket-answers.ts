import { listMember, memberOf, textMember } from "../../api/read.ts";

/** Readers of case management's answers. A shape that says nothing gives null. */

/** As it came: a number stays a number (row 20 of the spellings). */
export type Identifier = number | string;

export interface ListedTicket {
  readonly id: string;
  /** What people are told. */
  readonly number: string;
  /** Null where the list does not tell it. */
  readonly externalId: string | null;
}

/** Tickets of a list, or null for what is no list. */
export function ticketsIn(value: unknown): readonly ListedTicket[] | null {
  if (!Array.isArray(memberOf(value, "data"))) return null;
  return listMember(value, "data").flatMap((one) => {
    const made = creationIn(one);
    if (made === null) return [];
    const isNamed = typeof one === "object" && one !== null && Object.hasOwn(one, "external_id");
    const externalId = isNamed ? (textMember(one, "external_id") ?? "") : null;
    return [{ ...made, externalId }];
  });
}

/** Id and printable number of a ticket. */
export function creationIn(
  value: unknown,
): { readonly id: string; readonly number: string } | null {
  const id = identifierIn(value);
  if (id === null) return null;
  return { id: String(id), number: textMember(value, "full_uuid") ?? String(id) };
}

/** `uuid` of what was created, `id` of what is listed (row 21). */
export function identifierIn(value: unknown): Identifier | null {
  for (const name of ["uuid", "id", "hash_uuid"]) {
    const id = memberOf(value, name);
    if (typeof id === "number" && Number.isFinite(id)) return id;
    if (typeof id === "string" && id !== "") return id;
  }
  return null;
}

/** The listed user with this address only: unfiltered lists hold strangers, who must get none. */
export function userWith(value: unknown, address: string): Identifier | null {
  const wanted = address.trim().toLowerCase();
  const user = listMember(value, "data").find(
    (one) => textMember(one, "address")?.trim().toLowerCase() === wanted,
  );
  return identifierIn(user);
}
