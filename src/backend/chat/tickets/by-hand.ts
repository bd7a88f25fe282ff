import type { NewChatTicket } from "../../../api/chat/schema-tickets.ts";
import { hashSha256Hex } from "../../../json/bytes.ts";
import { readMailAddress, readPersonName } from "../../../locales/person.ts";
import { parseTag } from "../../../locales/tag.ts";
import { Refusal, refuseFor } from "../../http/refusal.ts";
import { htmlOfWritten, ensureUserOfAgent } from "../../ticketing/agent-users.ts";
import { attach } from "../../ticketing/attaching.ts";
import { insertTicket } from "../../ticketing/create-ticket.ts";
import { createOnce } from "../../ticketing/idempotency.ts";
import { uuidFrom } from "../../ticketing/identity.ts";
import { readRow } from "../../ticketing/ticket-rows.ts";
import type { TicketRow } from "../../ticketing/ticket-rows.ts";
import { contactOf, createPlaceholderAddress, userAt } from "../../ticketing/users.ts";
import type { ChatOptions } from "../options.ts";
import { chooseQueue, type TicketAccess } from "./access.ts";
import { requireAttachableFiles } from "./files.ts";
import { readUserOfChat } from "./person.ts";
import { findSolver } from "./solver.ts";

/**
 * Makes a ticket of what a person told an agent elsewhere, such as by phone. It is open, and
 * assigned to the agent who makes it unless another is named. With a key, it is stored once.
 *
 * @throws Refusal 403, 409 for a key that was used for something else, 422
 */
export async function createTicketByHand(
  options: ChatOptions,
  access: TicketAccess,
  asked: NewChatTicket,
  key: string | null,
): Promise<TicketRow> {
  const { database, now, random } = options;
  const { project, agent } = access;
  const queue = await chooseQueue(database.kysely, access, asked.queue);
  const title = requireFilled("title", asked.title);
  const message = requireFilled("message", asked.message);
  const once = {
    project,
    key: key === null ? null : `desk ${agent} ${key}`,
    request: JSON.stringify(["ticket", asked]),
    now: now(),
  };
  // A ticket that is sent again names the same person, with or without an address.
  const hash = once.key === null ? uuidFrom(random(16)) : await hashSha256Hex(once.key);
  const person =
    asked.person === undefined ? null : await readUserOfChat(database.kysely, access, asked.person);
  const creator = await userAt(options, project, readPerson(asked, person, hash.slice(0, 40)));
  return database.durable(async (queries) => {
    const id = await createOnce(queries, once, async () => {
      const author = await ensureUserOfAgent(queries, { now, random }, project, agent);
      const { assignee = agent } = asked;
      const solver =
        assignee === agent
          ? author
          : await findSolver(queries, { now, random }, access, { assignee, queue });
      const at = now();
      const row = {
        project,
        title,
        message: htmlOfWritten(message),
        solver,
        creator,
        queue,
        status: 2,
        language: parseTag(asked.language ?? "")?.base ?? "",
        created: at,
      };
      const { attachments = [] } = asked;
      await requireAttachableFiles(queries, access, attachments);
      const ticket = await insertTicket(queries, { random }, row, author);
      await attach(queries, project, attachments, { ticket, reply: null, now: at });
      return ticket;
    });
    return readRow(queries, id);
  });
}

function requireFilled(field: string, value: string | undefined): string {
  const text = value?.trim() ?? "";
  if (text === "") throw new Refusal(422, `${field}: is missing`);
  return text;
}

/**
 * Reads name and address, of which one is enough. A user of the chat who gave no address stays the
 * same user. Throws 422.
 */
function readPerson(
  { name = "", contact = "" }: NewChatTicket,
  person: Awaited<ReturnType<typeof readUserOfChat>> | null,
  key: string,
): { readonly name: string; readonly address: string } {
  const address = readMailAddress(contact);
  if (contact.trim() !== "" && (address === null || contactOf(address) === "")) {
    throw refuseFor(422, "contact", "contact: must be an e-mail address");
  }
  const known = readPersonName(name);
  if (name.trim() !== "" && known === null) throw refuseFor(422, "name", "name: must be a name");
  const called = known ?? address ?? person?.name ?? null;
  if (called === null) throw new Refusal(422, "name: is missing");
  return {
    name: called,
    address:
      address ?? createPlaceholderAddress(person === null ? `desk-${key}` : `chat-${person.id}`),
  };
}
