import type { ChatTicketMailAction } from "../../../api/chat/schema-tickets.ts";
import { refuseFor, refuseNotFound } from "../../http/refusal.ts";
import { resendMail } from "../../mail/mails.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { lockRow } from "../../ticketing/change-ticket.ts";
import type { TicketRow } from "../../ticketing/ticket-rows.ts";
import type { ChatOptions } from "../options.ts";
import type { TicketAccess } from "./access.ts";
import { lockEditableTicket } from "./work.ts";

/**
 * Sends a mail of a ticket again, or accepts or discards one that is held.
 *
 * @throws Refusal 403, 404, 409 where the mail's state does not allow it, or e-mail is switched off
 */
export async function decideMailAtDesk(
  { database, now, mailing }: ChatOptions,
  access: TicketAccess,
  id: string,
  { mail, action }: ChatTicketMailAction,
): Promise<TicketRow> {
  const shown = await lockEditableTicket(database.kysely, access, id);
  if (mailing === undefined) throw refuseFor(409, "mail-off", "E-mail of tickets is switched off.");
  const ticket = await ticketOfMail(database.kysely, shown.id, mail);
  if (action === "resend") {
    await database.durable((queries) => resendMail(queries, { ticket, mail, now: now() }));
  } else {
    await mailing.decide({ ticket, mail, accept: action === "accept" });
  }
  return lockRow(database.kysely, shown.id);
}

/** Finds the ticket of a mail: the shown one, or one that was merged into it. Throws 404. */
async function ticketOfMail(queries: Queries, shown: number, mail: number): Promise<number> {
  const row = await queries
    .selectFrom("mails")
    .innerJoin("tickets", "tickets.id", "mails.ticket")
    .select("tickets.id")
    .where("mails.id", "=", mail)
    .where((builder) =>
      builder.or([builder("tickets.id", "=", shown), builder("tickets.merged", "=", shown)]),
    )
    .executeTakeFirst();
  if (row === undefined) throw refuseNotFound(`mail ${mail}`);
  return row.id;
}
