import type { ChatUser } from "../../../api/chat/answers.ts";
import type { ChatUserChange, NewChatUser } from "../../../api/chat/schema.ts";
import { sql, type SqlBool } from "kysely";
import { readMailAddress } from "../../../locales/person.ts";
import { readSearchTerms } from "../../../matching/searched-words.ts";
import { refuseFor } from "../../http/refusal.ts";
import { createPlaceholderAddress, keyOf } from "../../ticketing/users.ts";
import { toStorable } from "../../../storage/storable.ts";
import { isUniqueViolation } from "../../../storage/unique.ts";
import { toUsers } from "./agent-rows.ts";
import type { PersonRow } from "./agent-rows.ts";
import { refuseUnknown } from "../errors.ts";
import { createId } from "../ids.ts";
import { replaceSearchedText, subjectsWith } from "../../storage/search-index.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { ChatOptions } from "../options.ts";
import { issueToken } from "./tokens.ts";

/**
 * Creates a user with a session. Throws 409 for the externalId of another user of the app.
 *
 * @param isServer true if the app's server creates the user, with the secret
 */
export async function createUser(
  options: ChatOptions,
  app: string,
  user: NewChatUser,
  isServer: boolean,
): Promise<{ readonly user: ChatUser; readonly session: { readonly token: string } }> {
  const { database, now, random } = options;
  const id = createId(random);
  const columns = { ...toPersonColumns(user), self_named: isServer ? 0 : 1 };
  const row = { ...columns, id, app, created: now(), kind: "user", nickname: null };
  return refuseDuplicates(() =>
    database.durable(async (queries) => {
      if (isServer) await takeFromStranger(queries, app, row.external_id);
      const insert = queries.insertInto("chat_people").values(row).returningAll();
      const person = await insert.executeTakeFirstOrThrow();
      await replaceSearchedPerson(queries, person);
      const [made] = await toUsers(queries, [person]);
      const token = await issueToken(queries, options, app, { id, kind: "user" });
      if (made === undefined) throw new Error("unreachable: a user who was just made");
      return { user: made, session: { token } };
    }),
  );
}

/**
 * Takes an externalId from a user who chose it without the app's secret. That may be anybody, who
 * would otherwise read what the app's server writes to the person it means.
 */
async function takeFromStranger(
  queries: Queries,
  app: string,
  externalId: string | null,
): Promise<void> {
  if (externalId === null) return;
  const stranger = await queries
    .updateTable("chat_people")
    .set({ external_id: null, self_named: 0 })
    .where("app", "=", app)
    .where("external_id", "=", externalId)
    .where("self_named", "=", 1)
    .returningAll()
    .executeTakeFirst();
  if (stranger !== undefined) await replaceSearchedPerson(queries, stranger);
}

export async function changeUser(
  { database }: Pick<ChatOptions, "database">,
  app: string,
  id: string,
  change: ChatUserChange,
): Promise<ChatUser> {
  return refuseDuplicates(() =>
    database.durable(async (queries) => {
      await readPerson(queries, app, id);
      const columns = toPersonChange(change);
      await takeFromStranger(queries, app, columns.external_id ?? null);
      if (Object.keys(columns).length > 0) {
        const update = queries.updateTable("chat_people").set(columns).where("id", "=", id);
        await replaceSearchedPerson(queries, await update.returningAll().executeTakeFirstOrThrow());
      }
      return readUser(queries, app, id);
    }),
  );
}

/** Indexes a person, so that searches find their chats by name, address and externalId. */
export function replaceSearchedPerson(
  queries: Queries,
  { number, name, contact, external_id: externalId }: PersonRow,
): Promise<void> {
  const text = [name, contact, externalId ?? ""].join("\n");
  return replaceSearchedText(queries, { kind: "person", source: number, subject: number, text });
}

/**
 * Reads a user or agent of the app. Throws 404.
 *
 * @param what the kind of person that the message names
 */
export async function readPerson(
  queries: Queries,
  app: string,
  id: string,
  what: "user" | "agent" = "user",
): Promise<PersonRow> {
  const row = await queries
    .selectFrom("chat_people")
    .selectAll()
    .where("id", "=", id)
    .where("app", "=", app)
    .executeTakeFirst();
  if (row === undefined) throw refuseUnknown(what, id);
  return row;
}

export async function readUser(queries: Queries, app: string, id: string): Promise<ChatUser> {
  const [user] = await toUsers(queries, [await readPerson(queries, app, id)]);
  if (user === undefined) throw refuseUnknown("user", id);
  return user;
}

/** The ids and addresses of one person in chats and tickets. */
export interface SamePerson {
  /** Ids of the app's users with the person's e-mail address. */
  readonly users: readonly string[];
  /** Normalized addresses of the person's users in case management. */
  readonly addresses: readonly string[];
}

/**
 * Finds all users who are the same person as a user, by their e-mail address. Throws 404.
 */
export async function findSamePerson(
  database: ChatOptions["database"],
  app: string,
  id: string,
): Promise<SamePerson> {
  const { contact } = await readPerson(database.kysely, app, id);
  const address = readMailAddress(contact);
  const same = address === null ? [] : await findUsersAt(database, app, address);
  const users = [...new Set([id, ...same])];
  const placeholders = users.map((one) => keyOf(createPlaceholderAddress(`chat-${one}`)));
  return { users, addresses: [...(address === null ? [] : [keyOf(address)]), ...placeholders] };
}

/** Lists the ids of an app's users who gave an e-mail address. */
export async function findUsersAt(
  { kysely, dialect }: ChatOptions["database"],
  app: string,
  address: string,
): Promise<readonly string[]> {
  const [term] = readSearchTerms(address);
  if (term === undefined) return [];
  const alike = await kysely
    .selectFrom("chat_people")
    .select(["id", "contact"])
    .where("app", "=", app)
    .where("kind", "=", "user")
    .where(sql<SqlBool>`number IN (${subjectsWith(dialect, ["person"], term)})`)
    .execute();
  return alike.flatMap(({ id, contact }) => (keyOfMail(contact) === keyOf(address) ? id : []));
}

function keyOfMail(contact: string): string {
  return keyOf(readMailAddress(contact) ?? "");
}

/** Makes the stored columns of a new person. */
export function toPersonColumns({
  name,
  externalId = "",
  extraInfo = {},
  contact = "",
}: NewChatUser): Pick<PersonRow, "name" | "external_id" | "extra" | "contact"> {
  return {
    name: toStorable(name),
    external_id: externalId === "" ? null : toStorable(externalId),
    extra: JSON.stringify(extraInfo),
    contact: toStorable(contact),
  };
}

/** Makes the stored columns that a person's change names. */
export function toPersonChange({
  name,
  externalId,
  extraInfo,
  contact,
}: ChatUserChange): Partial<
  Pick<PersonRow, "name" | "external_id" | "self_named" | "extra" | "contact">
> {
  return {
    ...(name !== undefined && { name: toStorable(name) }),
    ...(externalId !== undefined && {
      external_id: externalId === "" ? null : toStorable(externalId),
      self_named: 0,
    }),
    ...(extraInfo !== undefined && { extra: JSON.stringify(extraInfo) }),
    ...(contact !== undefined && { contact: toStorable(contact) }),
  };
}

/** Clients look the user up by the externalId when they see this 409 (chat.md 11). */
export async function refuseDuplicates<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw refuseFor(
      409,
      "taken",
      "Another person of this app already has this externalId or login.",
    );
  }
}
