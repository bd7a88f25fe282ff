import { type Expression, sql, type SqlBool } from "kysely";
import type { ChatTicketPerson } from "../../../api/chat/answers-tickets.ts";
import { readMailAddress } from "../../../locales/person.ts";
import { hasTextWith, searchTermsOf, weighTerms } from "../../storage/search-index.ts";
import type { BackendDatabase } from "../../storage/tables/database.ts";
import { contactOf, createNobodysAddress, keyOf } from "../../ticketing/users.ts";
import { findSamePerson, findUsersAt, type SamePerson } from "../agents/people.ts";
import { type ChatRequest, kyselyOf } from "../request.ts";
import { readReadableTicket, requireTicketView, type TicketAccess } from "./access.ts";

/**
 * Finds a person whom an agent asks for: a user of the chat by their id, or whoever asked in a
 * ticket, who need not have a chat, as `ticket-418`.
 *
 * @throws Refusal 404 for nobody known, and for a ticket that the agent may not read; 403
 */
export async function findPerson(request: ChatRequest, id: string): Promise<SamePerson> {
  const { database } = request.options;
  const ticket = /^ticket-(\d{1,15})$/.exec(id)?.[1];
  if (ticket === undefined) return findSamePerson(database, request.app, id);
  const access = await requireTicketView(request);
  const { creator } = await readReadableTicket(kyselyOf(request), access, ticket);
  const { address, address_key: key } = await database.kysely
    .selectFrom("users")
    .select(["address", "address_key"])
    .where("id", "=", creator)
    .executeTakeFirstOrThrow();
  const user = await findUserOfChat(request, address);
  if (user !== null) return findSamePerson(database, request.app, user);
  const mail = readMailAddress(address);
  const users = mail === null ? [] : await findUsersAt(database, request.app, mail);
  const nobodys = users.map((one) => keyOf(createNobodysAddress(`chat-${one}`)));
  return { users, addresses: [key, ...nobodys] };
}

/** How many known people are offered. */
const mostOffered = 5;

/**
 * Lists people who have an address and asked in a ticket that the agent may read, the latest change
 * first, by the words of their names and addresses.
 */
export async function listKnownPeople(
  database: BackendDatabase,
  { project, view }: TicketAccess,
  search: string | undefined,
): Promise<readonly ChatTicketPerson[]> {
  const { kysely, dialect } = database;
  const terms = searchTermsOf(search) ?? [];
  if (terms.length === 0) return [];
  const conditions: Expression<SqlBool>[] = (await weighTerms(database, terms)).map((term) =>
    hasTextWith(dialect, ["user"], "users.id", term),
  );
  if (view !== null) conditions.push(sql`tickets.queue IN (${sql.join([...view])})`);
  const rows = await kysely
    .selectFrom("users")
    .select(["name", "address"])
    .where("project", "=", project)
    .where("agent", "is", null)
    .where("address", "not like", createNobodysAddress("%"))
    .where((builder) =>
      builder.exists(
        builder
          .selectFrom("tickets")
          .select("tickets.id")
          .whereRef("tickets.creator", "=", "users.id")
          .where(sql.join<SqlBool>([sql`1 = 1`, ...conditions], sql` AND `)),
      ),
    )
    .orderBy("users.updated", "desc")
    .orderBy("users.id", "desc")
    .limit(mostOffered)
    .execute();
  return rows.map(({ name, address }) => ({ name, contact: contactOf(address) }));
}

/** Finds the user of the chat who asked in a ticket without giving an address. */
async function findUserOfChat(request: ChatRequest, address: string): Promise<string | null> {
  const id = /^chat-(.+)@no-reply\.invalid$/.exec(address)?.[1] ?? "";
  const row = await kyselyOf(request)
    .selectFrom("chat_people")
    .select("id")
    .where("id", "=", id)
    .where("app", "=", request.app)
    .executeTakeFirst();
  return row?.id ?? null;
}
