import { storable } from "../../storage/storable.ts";
import type { TicketEvent } from "../../api/ticketing/types.ts";
import type { Queries } from "../storage/tables/database.ts";

/** A change of a ticket, for its history. */
export interface TicketChangeRecord {
  readonly action: "create" | "update" | "reply" | "answer" | "reopen" | "subticket";
  readonly field?: string;
  readonly before?: string | number | null;
  readonly after?: string | number | null;
}

/** Adds to a ticket's history. Within the transaction that makes the change. */
export async function record(
  queries: Queries,
  to: { readonly project: string; readonly ticket: number; readonly actor: number | null },
  at: number,
  changes: readonly TicketChangeRecord[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ action, field = null, before = null, after = null }) => ({
    ...to,
    action,
    field,
    before: before === null ? null : storable(String(before)),
    after: after === null ? null : storable(String(after)),
    at,
  }));
  await queries.insertInto("ticket_events").values(rows).execute();
}

/** What happened to a ticket, oldest first. */
export async function readHistory(
  queries: Queries,
  ticket: number,
  limit: number,
  offset: number,
): Promise<readonly TicketEvent[]> {
  const rows = await queries
    .selectFrom("ticket_events")
    .selectAll()
    .where("ticket", "=", ticket)
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ id, action, field, before, after, actor, at }) => ({
    id,
    action,
    field,
    from: before,
    to: after,
    actor,
    timestamp: Math.floor(at / 1000),
  }));
}
