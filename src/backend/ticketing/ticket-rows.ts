import { z } from "zod";
import type { Selectable } from "kysely";
import type { TicketTable } from "../storage/tables/ticketing.ts";
import type {
  MediaReference,
  PriorMessage,
  Ticket,
  TicketStatus,
} from "../../api/ticketing/types.ts";
import { attachmentsOf } from "./attaching.ts";
import { fullUuid } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";

export type TicketRow = Selectable<TicketTable>;

const priorMessages: z.ZodType<readonly PriorMessage[]> = z.array(
  z.object({ user: z.string(), message: z.string() }),
);

/** Tickets as they are answered, with what hangs on them. */
export async function toTickets(
  queries: Queries,
  rows: readonly TicketRow[],
): Promise<readonly Ticket[]> {
  const all = await attachmentsOf(
    queries,
    rows.map(({ id }) => id),
  );
  const own = Map.groupBy(
    all.filter(({ reply }) => reply === null),
    ({ ticket }) => ticket,
  );
  return rows.map((row) => toTicket(row, own.get(row.id) ?? []));
}

/** A ticket as it is answered. */
export function toTicket(row: TicketRow, attachments: readonly MediaReference[]): Ticket {
  return {
    id: row.id,
    hash_uuid: row.hash_uuid,
    full_uuid: fullUuid(row.id, row.hash_uuid),
    title: row.title,
    message: row.message,
    creator: row.creator,
    solver: row.solver,
    source: row.source,
    queue: row.queue,
    status: statusOf(row.status),
    classification: row.classification,
    external_id: row.external_id,
    parent: row.parent,
    attachments: attachments.map(({ id, hash_uuid, name }) => ({ id, hash_uuid, name })),
    history: { messages: priorMessages.parse(JSON.parse(row.prior)) },
    created: Math.floor(row.created / 1000),
    last_update: Math.floor(row.updated / 1000),
  };
}

export async function readTicket(queries: Queries, id: number): Promise<Ticket> {
  const row = await readRow(queries, id);
  const [ticket] = await toTickets(queries, [row]);
  if (ticket === undefined) throw new Error("unreachable: one row makes one ticket");
  return ticket;
}

export function readRow(queries: Queries, id: number): Promise<TicketRow> {
  return queries.selectFrom("tickets").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

export function statusOf(value: number): TicketStatus {
  return value === 2 || value === 3 || value === 4 || value === 5 ? value : 1;
}
