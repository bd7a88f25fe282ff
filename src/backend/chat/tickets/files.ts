import { refuseNotFound, Refusal, toPrintable } from "../../http/refusal.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { findId, readIdentification } from "../../ticketing/identity.ts";
import type { TicketAccess } from "./access.ts";
import { covers } from "./rights.ts";

/**
 * Refuses files that an agent may not attach. These are files that are given by number, which could
 * be guessed, and files that are attached only to tickets that the agent may not read.
 *
 * @throws Refusal 422
 */
export async function requireAttachableFiles(
  queries: Queries,
  { project, view }: TicketAccess,
  identifiers: readonly string[],
): Promise<void> {
  for (const identifier of identifiers) {
    const named = readIdentification(identifier);
    const media =
      named?.column === "hash_uuid" ? await findId(queries, "media", project, identifier) : null;
    if (media !== null && (await mayAttach(queries, view, media))) continue;
    throw new Refusal(422, `attachments: there is no media file ${toPrintable(identifier)}`);
  }
}

/** True for a file that is not attached yet, or is attached to a ticket of one of these queues. */
async function mayAttach(
  queries: Queries,
  view: TicketAccess["view"],
  media: number,
): Promise<boolean> {
  if (view === null) return true;
  const queues = await queuesOfFile(queries, media);
  return queues.length === 0 || queues.some((queue) => covers(view, queue));
}

/** Throws 404 for a file that is not attached to any ticket that the agent may read. */
export async function requireReadableFile(
  queries: Queries,
  { view }: TicketAccess,
  media: number,
  identifier: string,
): Promise<void> {
  if (view === null) return;
  if ((await queuesOfFile(queries, media)).some((queue) => covers(view, queue))) return;
  throw refuseNotFound(`media file ${toPrintable(identifier)}`);
}

/** Lists the queues of the tickets to which a file is attached. */
async function queuesOfFile(queries: Queries, media: number): Promise<readonly number[]> {
  const rows = await queries
    .selectFrom("attachments")
    .innerJoin("tickets", "tickets.id", "attachments.ticket")
    .select("tickets.queue")
    .where("attachments.media", "=", media)
    .execute();
  return rows.map(({ queue }) => queue);
}
