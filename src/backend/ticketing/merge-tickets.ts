import { Refusal } from "../http/refusal.ts";
import type { Queries } from "../storage/tables/database.ts";
import { lockRow, writeColumns } from "./change-ticket.ts";
import { toFullUuid } from "./identity.ts";
import { tagsOf, writeTags } from "./tags.ts";
import { recordChanges } from "./ticket-rows.ts";
import type { TicketRow } from "./ticket-rows.ts";

/**
 * Merges a duplicate into another ticket, within a transaction. The duplicate is closed, its messages
 * are shown with the other ticket, and later replies to it go there. Nothing is copied or deleted.
 *
 * @throws Refusal 409 if one of them is merged already, or the other one is closed
 */
export async function mergeTickets(
  queries: Queries,
  { from: duplicate, into: other }: { readonly from: number; readonly into: number },
  { actor, at }: { readonly actor: number; readonly at: number },
): Promise<void> {
  if (duplicate === other) throw new Refusal(422, "into: a ticket cannot be merged into itself");
  // Tickets are locked in the order of their ids, so that two merges cannot deadlock.
  const locked = new Map<number, TicketRow>();
  for (const id of [duplicate, other].toSorted((a, b) => a - b)) {
    locked.set(id, await lockRow(queries, id));
  }
  const [from, into] = [locked.get(duplicate), locked.get(other)];
  if (from === undefined || into === undefined) throw new Error("unreachable: both are locked");
  for (const one of [from, into]) {
    if (one.merged === null) continue;
    throw new Refusal(409, `Ticket ${numberOf(one)} has been merged into another one already.`);
  }
  if (into.status === 5) throw new Refusal(409, `Ticket ${numberOf(into)} is closed.`);
  await writeColumns(queries, from, { status: 5 }, { actor, at });
  await queries
    .updateTable("tickets")
    .set({ merged: into.id, updated: at })
    .where((builder) => builder.or([builder("id", "=", from.id), builder("merged", "=", from.id)]))
    .execute();
  const solver = into.solver ?? from.solver;
  // An unsolved duplicate reopens a solved ticket. A new ticket that gets an assignee becomes open.
  const opens = into.status === 4 ? from.status < 4 : into.status === 1 && solver !== into.solver;
  const columns = { ...(opens && { status: 2 }), solver };
  await writeColumns(queries, into, columns, { actor, at });
  const tags = await tagsOf(queries, [from.id, into.id]);
  const all = [into.id, from.id].flatMap((id) => tags.get(id) ?? []);
  await writeTags(queries, { project: into.project, ticket: into.id }, all);
  const record = { action: "update", field: "merged" } as const;
  const { project } = into;
  await recordChanges(queries, { project, ticket: into.id, actor }, at, [
    { ...record, after: numberOf(from) },
  ]);
  await queries.updateTable("tickets").set({ updated: at }).where("id", "=", into.id).execute();
}

function numberOf({ id, hash_uuid: hash }: TicketRow): string {
  return toFullUuid(id, hash);
}
