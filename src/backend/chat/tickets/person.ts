import type { PersonRow } from "../agents/agent-rows.ts";
import { sql, type SqlBool } from "kysely";
import type { ChatTicketPerson } from "../../../api/chat/answers-tickets.ts";
import { readMailAddress } from "../../../locales/person.ts";
import { hasTextWith, searchTermsOf, weighTerms } from "../../storage/search-index.ts";
import { toStorable } from "../../../storage/storable.ts";
import { refuseUnknown } from "../errors.ts";
import type { BackendDatabase, Queries } from "../../storage/tables/database.ts";
import { contactOf, createPlaceholderAddress, keyOf } from "../../ticketing/users.ts";
import { findSamePerson, findUsersAt, type SamePerson } from "../agents/people.ts";
import { isVisibleTo } from "../chats/visible.ts";
import { type ChatRequest } from "../request.ts";
import { readReadableTicket, requireTicketView, type TicketAccess } from "./access.ts";

/**
 * Finds a person by the id of a user of the chat or, as `ticket-418`, by a ticket of a person who
 * may have no chat.
 *
 * @throws Refusal 404 for nobody known, and for a ticket that the agent may not read; 403
 */
export async function findPerson(request: ChatRequest, id: string): Promise<SamePerson> {
  const { database } = request.options;
  const ticket = /^ticket-(\d{1,15})$/.exec(id)?.[1];
  if (ticket === undefined) return findSamePerson(database, request.app, id);
  const access = await requireTicketView(request);
  const { creator } = await readReadableTicket(request.queries, access, ticket);
  const { address, address_key: key } = await database.kysely
    .selectFrom("users")
    .select(["address", "address_key"])
    .where("id", "=", creator)
    .executeTakeFirstOrThrow();
  const user = await findUserOfChat(request, address);
  if (user !== null) return findSamePerson(database, request.app, user);
  const mail = readMailAddress(address);
  const users = mail === null ? [] : await findUsersAt(database, request.app, mail);
  const placeholders = users.map((one) => keyOf(createPlaceholderAddress(`chat-${one}`)));
  return { users, addresses: [key, ...placeholders] };
}

/** The most known people that are offered. */
const maxOffered = 8;

/**
 * Lists people by the words of their names and addresses: those who asked in a ticket that the
 * agent may read, then those who wrote in a chat that the agent may see; the latest first.
 */
export async function listKnownPeople(
  database: BackendDatabase,
  access: TicketAccess,
  search: string | undefined,
): Promise<readonly ChatTicketPerson[]> {
  const terms = searchTermsOf(search) ?? [];
  if (terms.length === 0) return [];
  const weighed = await weighTerms(database, terms);
  const asked = await listAskers(database, access, weighed);
  const met = await listUsersOfChats(database, access, weighed);
  const known = new Set(asked.map(({ person }) => person));
  const contacts = new Set(asked.map(({ contact }) => keyOf(contact)));
  const others = met.filter(
    ({ person, contact }) =>
      !known.has(person) && (contact === "" || !contacts.has(keyOf(contact))),
  );
  // One person may have begun several chats with the same address.
  const distinct = others.filter(
    ({ contact }, at) =>
      contact === "" || others.findIndex((one) => one.contact === contact) === at,
  );
  return [...asked, ...distinct].slice(0, maxOffered);
}

type Weighed = Awaited<ReturnType<typeof weighTerms>>;

/**
 * Lists people who asked in tickets, and those with no ticket yet for agents who may read every
 * queue.
 */
async function listAskers(
  { kysely, dialect }: BackendDatabase,
  access: TicketAccess,
  terms: Weighed,
): Promise<readonly ChatTicketPerson[]> {
  const conditions = terms.map((term) => hasTextWith(dialect, ["user"], "users.id", term));
  const rows = await selectAskers(kysely, access)
    .select(["name", "address"])
    .where(sql.join<SqlBool>([sql`1 = 1`, ...conditions], sql` AND `))
    // People without any address cannot be told from others of their name.
    .where((builder) =>
      builder.or([
        builder("address", "not like", createPlaceholderAddress("%")),
        builder("address", "like", createPlaceholderAddress("chat-%")),
      ]),
    )
    .orderBy("users.updated", "desc")
    .orderBy("users.id", "desc")
    .limit(maxOffered)
    .execute();
  return rows.map(({ name, address }) => ({
    name,
    contact: contactOf(address),
    person: personIn(address),
  }));
}

function selectAskers(queries: Queries, { project, view }: TicketAccess) {
  const query = queries
    .selectFrom("users")
    .where("project", "=", project)
    .where("agent", "is", null);
  if (view === null) return query;
  return query.where((builder) =>
    builder.exists(
      builder
        .selectFrom("tickets")
        .select("tickets.id")
        .whereRef("tickets.creator", "=", "users.id")
        .where("tickets.queue", "in", [...view]),
    ),
  );
}

/**
 * Reads a user of the chat whom the agent knows, from a chat or from a ticket. Throws 404 for every
 * other.
 */
export async function readUserOfChat(
  queries: Queries,
  access: TicketAccess,
  id: string,
): Promise<Pick<PersonRow, "id" | "name" | "contact">> {
  const named = toStorable(id);
  const seen = await selectUsersOfChats(queries, access)
    .where("chat_people.id", "=", named)
    .executeTakeFirst();
  if (seen !== undefined) return seen;
  const asked = await selectAskers(queries, access)
    .select(["name", "address"])
    .where("address_key", "=", keyOf(createPlaceholderAddress(`chat-${named}`)))
    .executeTakeFirst();
  if (asked === undefined) throw refuseUnknown("user", id);
  return { id: named, name: asked.name, contact: "" };
}

/** Selects the users of chats that an agent may see. */
function selectUsersOfChats(queries: Queries, { app, agent }: TicketAccess) {
  return queries
    .selectFrom("chat_people")
    .select(["chat_people.id", "chat_people.name", "chat_people.contact"])
    .where("chat_people.app", "=", app)
    .where("chat_people.kind", "=", "user")
    .where((builder) =>
      builder.exists(
        builder
          .selectFrom("chat_chats")
          .select("chat_chats.number")
          .whereRef("chat_chats.creator", "=", "chat_people.id")
          .where(isVisibleTo(agent)),
      ),
    );
}

async function listUsersOfChats(
  { kysely, dialect }: BackendDatabase,
  access: TicketAccess,
  terms: Weighed,
): Promise<readonly ChatTicketPerson[]> {
  const conditions = terms.map((term) =>
    hasTextWith(dialect, ["person"], "chat_people.number", term),
  );
  const rows = await selectUsersOfChats(kysely, access)
    .where(sql.join<SqlBool>([sql`1 = 1`, ...conditions], sql` AND `))
    .orderBy("chat_people.number", "desc")
    .limit(4 * maxOffered)
    .execute();
  return rows.map(({ id, name, contact }) => ({
    name,
    contact: readMailAddress(contact) ?? "",
    person: id,
  }));
}

/** Finds the user of the chat in the placeholder address of a person who gave none. */
function personIn(address: string): string {
  return /^chat-(.+)@no-reply\.invalid$/.exec(address)?.[1] ?? "";
}

/** Finds the user of the chat who asked in a ticket without giving an address. */
async function findUserOfChat(request: ChatRequest, address: string): Promise<string | null> {
  const id = personIn(address);
  const row = await request.queries
    .selectFrom("chat_people")
    .select("id")
    .where("id", "=", id)
    .where("app", "=", request.app)
    .executeTakeFirst();
  return row?.id ?? null;
}
