import { z } from "zod";
import type { Selectable } from "kysely";
import { isUniqueViolation } from "../../storage/unique.ts";
import { toComparable } from "../../locales/person.ts";
import { toStorable } from "../../storage/storable.ts";
import { replaceSearchedText } from "../storage/search-index.ts";
import type { UserTable } from "../storage/tables/ticketing.ts";
import type { ExtraField, User } from "../../api/ticketing/answers.ts";
import type { NewUser, UserChange, userListing } from "../../api/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { toCreatedAnswer, idOf, uuidFrom } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { ApiRequest } from "../auth/handling.ts";
import { queueEvent } from "./outbox.ts";
import { type Page, readPage } from "../http/paging.ts";
import { Refusal } from "../http/refusal.ts";

/** Registers a user. Throws 409 with the ids of the user who has the address (without ids for a domain key). */
export async function createUser(
  { database, now, random, wire }: Pick<TicketingOptions, "database" | "now" | "random" | "wire">,
  { project, domainKey }: Pick<ApiRequest, "project" | "domainKey">,
  { name, address, extra = [] }: NewUser,
): Promise<object> {
  const hash = uuidFrom(random(16));
  try {
    return await database.durable(async (queries) => {
      const { id } = await queries
        .insertInto("users")
        .values({
          project,
          hash_uuid: hash,
          name: toStorable(name),
          address: toStorable(address),
          address_key: keyOf(address),
          extra: JSON.stringify(extra),
          created: now(),
          updated: now(),
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await indexUser(queries, { id, name, address });
      await queueEvent(queries, project, now(), {
        id,
        item: "user",
        action: "add",
        actor: id,
      });
      return toCreatedAnswer(wire, id, hash);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (domainKey !== null) throw new Refusal(409, taken);
    throw await addressTaken(database.kysely, project, address, wire);
  }
}

/** Indexes the tickets of a user for search by the user's name and address. */
function indexUser(
  queries: Queries,
  { id, name, address }: Pick<Selectable<UserTable>, "id" | "name" | "address">,
): Promise<void> {
  const text = [name, contactOf(address)].join("\n");
  return replaceSearchedText(queries, { kind: "user", source: id, subject: id, text });
}

/** Finds the user with an address, or creates one. An existing user stays unchanged. */
export async function userAt(
  options: Pick<TicketingOptions, "database" | "now" | "random" | "wire">,
  project: string,
  user: NewUser,
): Promise<number> {
  const { kysely } = options.database;
  const known = await findUser(kysely, project, user.address);
  if (known !== undefined) return known.id;
  try {
    await createUser(options, { project, domainKey: null }, user);
  } catch (error) {
    // Another request was faster.
    if (!(error instanceof Refusal) || error.status !== 409) throw error;
  }
  const made = await findUser(kysely, project, user.address);
  if (made === undefined) throw new Error("unreachable: a user that was made is found");
  return made.id;
}

function findUser(queries: Queries, project: string, address: string) {
  return queries
    .selectFrom("users")
    .select(["id", "hash_uuid"])
    .where("project", "=", project)
    .where("address_key", "=", keyOf(address))
    .executeTakeFirst();
}

const taken = "address: belongs to a user already";

/** Changes a user. Throws 404, or 409 when another has the address. */
export async function changeUser(
  { database, now, wire }: TicketingOptions,
  project: string,
  identifier: string,
  { name, address, extra }: UserChange,
): Promise<User> {
  try {
    return await database.durable(async (queries) => {
      const id = await idOf(queries, "users", project, identifier);
      const before = await readUser(queries, id);
      const row = await queries
        .updateTable("users")
        .set({
          ...(name !== undefined && { name: toStorable(name) }),
          ...(address !== undefined && {
            address: toStorable(address),
            address_key: keyOf(address),
          }),
          ...(extra !== undefined && { extra: JSON.stringify(mergeFields(before.extra, extra)) }),
          updated: now(),
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await indexUser(queries, row);
      await queueEvent(queries, project, now(), {
        id,
        item: "user",
        action: "update",
        actor: id,
      });
      return toUser(row);
    });
  } catch (error) {
    if (!isUniqueViolation(error) || address === undefined) throw error;
    throw await addressTaken(database.kysely, project, address, wire);
  }
}

const extraFields: z.ZodType<readonly ExtraField[]> = z.array(
  z.object({ id: z.int(), content: z.string() }),
);

/** Lists all users, or those whose fields have exactly the given values. */
export async function listUsers(
  queries: Queries,
  project: string,
  filter: z.infer<typeof userListing>,
): Promise<Page<User>> {
  const { address, name, hash_uuid: hash, id } = filter;
  let query = queries.selectFrom("users").select("id").where("project", "=", project);
  if (address !== undefined) query = query.where("address_key", "=", keyOf(address));
  if (name !== undefined) query = query.where("name", "=", name);
  if (hash !== undefined) query = query.where("hash_uuid", "=", hash);
  if (id !== undefined) query = query.where("id", "=", /^\d{1,15}$/.test(id) ? Number(id) : -1);
  // Ids are selected first, so that skipped rows are not read.
  const { data, hasMore } = await readPage(filter, (limit, offset) =>
    queries
      .selectFrom("users")
      .selectAll()
      .where("id", "in", query.orderBy("id").limit(limit).offset(offset))
      .orderBy("id")
      .execute(),
  );
  return { data: data.map((row) => toUser(row)), hasMore };
}

export function findPublicUsers(
  queries: Queries,
  project: string,
  address: string,
): Promise<readonly Pick<User, "name" | "address" | "hash_uuid">[]> {
  return queries
    .selectFrom("users")
    .select(["name", "address", "hash_uuid"])
    .where("project", "=", project)
    .where("address_key", "=", keyOf(address))
    .execute();
}

export async function readUser(queries: Queries, id: number): Promise<User> {
  const row = queries.selectFrom("users").selectAll().where("id", "=", id);
  return toUser(await row.executeTakeFirstOrThrow());
}

export function toUser(row: Selectable<UserTable>): User {
  return {
    id: row.id,
    hash_uuid: row.hash_uuid,
    name: row.name,
    address: row.address,
    extra: extraFields.parse(JSON.parse(row.extra)),
    created: Math.floor(row.created / 1000),
    last_update: Math.floor(row.updated / 1000),
  };
}

/** Makes the form of an address that the database compares. */
export function keyOf(address: string): string {
  return toStorable(toComparable(address));
}

/**
 * Makes an address for a user who gave none, since every user must have one. Its domain belongs to
 * nobody (RFC 2606).
 */
export function createPlaceholderAddress(key: string): string {
  return `${key}@no-reply.invalid`;
}

/** Returns an address if it can receive mail, else an empty text. */
export function contactOf(address: string): string {
  return address.endsWith(".invalid") ? "" : address;
}

function mergeFields(
  before: readonly ExtraField[],
  changes: readonly ExtraField[],
): readonly ExtraField[] {
  const fields = new Map([...before, ...changes].map((field) => [field.id, field]));
  return [...fields.values()];
}

async function addressTaken(
  queries: Queries,
  project: string,
  address: string,
  wire: "deployed" | "seed",
): Promise<Refusal> {
  const row = await findUser(queries, project, address);
  const theirs = row === undefined ? {} : toCreatedAnswer(wire, row.id, row.hash_uuid);
  return new Refusal(409, taken, theirs);
}
