import { readMailAddress } from "../../../locales/person.ts";
import { createNobodysAddress, keyOf } from "../../ticketing/users.ts";
import { findSamePerson, findUsersAt, type SamePerson } from "../agents/people.ts";
import { type ChatRequest, kyselyOf } from "../request.ts";
import { readReadableTicket, requireTicketView } from "./access.ts";

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
