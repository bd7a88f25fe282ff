import { ticketFilter } from "../../api/chat/schema-tickets.ts";
import { downloadOf } from "../http/files.ts";
import { queryBy } from "../http/handling.ts";
import { notFound, shown } from "../http/refusal.ts";
import { readMediaFile } from "../ticketing/media.ts";
import { kysely, type ChatHandler } from "./request.ts";
import { readableTicket, requireTicketView } from "./tickets/access.ts";
import { readTicketDetail } from "./tickets/detail.ts";
import { countTickets, listTicketLines } from "./tickets/list.ts";
import { requireReadableFile } from "./tickets/files.ts";

/** Tickets of the app's project, which agents with the right to may read. */
export const TICKET_HANDLERS: Readonly<Record<`chat.${string}`, ChatHandler>> = {
  async "chat.tickets"(asked) {
    const access = await requireTicketView(asked);
    const filter = queryBy(ticketFilter, asked);
    const { data, hasMore } = await listTicketLines(kysely(asked), access, filter);
    return { tickets: data, hasMore, counts: await countTickets(kysely(asked), access, filter) };
  },

  async "chat.ticket"(asked) {
    const access = await requireTicketView(asked);
    const row = await readableTicket(kysely(asked), access, asked.id);
    return { ticket: await readTicketDetail(kysely(asked), access, row) };
  },

  async "chat.ticketFile"(asked) {
    const access = await requireTicketView(asked);
    const { media, data } = await readMediaFile(asked.options, access.project, asked.id);
    // What was only uploaded belongs to no ticket yet.
    if (!media.attached) throw notFound(`media file ${shown(asked.id)}`);
    await requireReadableFile(kysely(asked), access, media.id, asked.id);
    return downloadOf(media, data);
  },
};
