import type { ApiRequest } from "../auth/handling.ts";
import type { TicketingOptions } from "./context.ts";
import { toHex } from "../../json/bytes.ts";
import type { Queries } from "../storage/tables/database.ts";
import { refuseNotFound, toPrintable } from "../http/refusal.ts";

/** Tables whose rows have a number and a UUID. */
export type IdentifiedTable = "users" | "tickets" | "replies" | "media" | "webhooks";

const names: Readonly<Record<IdentifiedTable, string>> = {
  users: "user",
  tickets: "ticket",
  replies: "reply",
  media: "media file",
  webhooks: "webhook",
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Finds the number of a row by an identifier: the number itself or a UUID. Throws 404. */
export async function idOf(
  queries: Queries,
  table: IdentifiedTable,
  project: string,
  identifier: string,
): Promise<number> {
  const id = await findId(queries, table, project, identifier);
  if (id === null) throw refuseNotFound(`${names[table]} ${toPrintable(identifier)}`);
  return id;
}

/** Like {@link idOf}, but returns null instead of throwing. */
export async function findId(
  queries: Queries,
  table: IdentifiedTable,
  project: string,
  identifier: string,
): Promise<number | null> {
  const named = readIdentification(identifier);
  if (named === null) return null;
  const row = await queries
    .selectFrom(table)
    .select("id")
    .where("project", "=", project)
    .where(named.column, "=", named.value)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The column by which an identifier finds its row. */
export type Identification =
  | { readonly column: "id"; readonly value: number }
  | { readonly column: "hash_uuid"; readonly value: string };

/** Null for a text that is neither a number nor a UUID. */
export function readIdentification(identifier: string): Identification | null {
  const given = identifier.trim().toLowerCase();
  if (uuid.test(given)) return { column: "hash_uuid", value: given };
  return /^\d{1,15}$/.test(given) ? { column: "id", value: Number(given) } : null;
}

/** Makes a UUID of version 4 from 16 random bytes (RFC 9562, 5.4). */
export function uuidFrom(bytes: Uint8Array): string {
  const marked = bytes.slice(0, 16).map((byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    return index === 8 ? (byte & 0x3f) | 0x80 : byte;
  });
  return toHex(marked).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns the number that people see: three check characters against typing mistakes, then the id. */
export function toFullUuid(id: number, hash: string): string {
  const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  const value = Number.parseInt(hash.slice(0, 4), 16);
  const code = [10, 5, 0].map((shift) => alphabet[(value >> shift) & 31] ?? "2").join("");
  return `${code}-${id}`;
}

/** Returns the answer of a creating call: the number as deployed, or the UUID as specified. */
export function toCreatedAnswer(
  wire: "deployed" | "seed",
  id: number,
  hash: string,
): { readonly uuid: number | string; readonly hash_uuid: string } {
  return { uuid: wire === "seed" ? hash : id, hash_uuid: hash };
}

/** Makes answers to domain keys use UUIDs only, since these keys are public and numbers guessable. */
export function answersFor(options: TicketingOptions, { domainKey }: ApiRequest): TicketingOptions {
  return domainKey === null ? options : { ...options, wire: "seed" };
}
