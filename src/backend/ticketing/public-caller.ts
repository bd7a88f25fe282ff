import type { NewTicket } from "../../api/ticketing/schema.ts";
import type { Asked } from "../handling.ts";
import { Refusal } from "../refusal.ts";
import type { TicketingOptions } from "./context.ts";
import { mediaOf } from "./create-ticket.ts";
import { identification } from "./identity.ts";

/**
 * A domain key is public, and numbers can be counted through: who has a token of one names users
 * and files by the UUIDs that nobody else was given. So these are the identifiers that it is
 * answered, whichever spelling is emitted else.
 */
export function answersFor(options: TicketingOptions, { domainKey }: Asked): TicketingOptions {
  return domainKey === null ? options : { ...options, wire: "seed" };
}

/** Throws 422 for a ticket of a domain key's that names a user or a file by its number. */
export function requireUuids({ domainKey }: Asked, ticket: NewTicket): void {
  if (domainKey === null) return;
  const named = {
    creator: [ticket.creator],
    solver: ticket.solver === undefined ? [] : [ticket.solver],
    attachments: mediaOf(ticket),
  };
  for (const [field, identifiers] of Object.entries(named)) {
    if (identifiers.every((one) => identification(one)?.column === "hash_uuid")) continue;
    throw new Refusal(
      422,
      `${field}: with a token of a domain key, users and files are named by their UUID (hash_uuid)`,
    );
  }
}
