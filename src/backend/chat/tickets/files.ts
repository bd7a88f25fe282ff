import { refuseNotFound, toPrintable } from "../../http/refusal.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { TicketAccess } from "./access.ts";
import { covers } from "./rights.ts";

/** Throws 404 for a file that hangs on no ticket that the agent may read. */
export async function requireReadableFile(
  queries: Queries,
  { view }: TicketAccess,
  media: number,
  identifier: string,
): Promise<void> {
  if (view === null) return;
  const rows = await queries
    .selectFrom("attachments")
    .innerJoin("tickets", "tickets.id", "attachments.ticket")
    .select("tickets.queue")
    .where("attachments.media", "=", media)
    .execute();
  if (rows.some(({ queue }) => covers(view, queue))) return;
  throw refuseNotFound(`media file ${toPrintable(identifier)}`);
}
