import { refuseFor } from "../http/refusal.ts";
import type { Queries } from "../storage/tables/database.ts";
import { lockRow, writeColumns } from "./change-ticket.ts";
import { toFullUuid } from "./identity.ts";
import { changeTags, tagsOf } from "./tags.ts";
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
  if (duplicate === other)
    throw refuseFor(422, "self", "into: a ticket cannot be merged into itself");
  // Tickets are locked in the order of their ids, so that two merges cannot deadlock.
  const locked = new Map<number, TicketRow>();
  for (const id of [duplicate, other].toSorted((a, b) => a - b)) {
    locked.set(id, await lockRow(queries, id));
  }
  const [from, into] = [locked.get(duplicate), locked.get(other)];
  if (from === undefined || into === undefined) throw new Error("unreachable: both are locked");
  for (const one of [from, into]) {
    if (one.merged === null) continue;
    throw refuseFor(
      409,
      "merged",
      `Ticket ${numberOf(one)} has been merged into another one already.`,
      { number: numberOf(one) },
    );
  }
  if (into.status === 5)
    throw refuseFor(409, "closed", `Ticket ${numberOf(into)} is closed.`, {
      number: numberOf(into),
    });
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
  const before = tags.get(into.id) ?? [];
  const all = [...new Set([...before, ...(tags.get(from.id) ?? [])])];
  const record = { action: "update", field: "merged" } as const;
  const { project } = into;
  await recordChanges(queries, { project, ticket: into.id, actor }, at, [
    { ...record, after: numberOf(from) },
  ]);
  if (all.length > before.length) {
    await changeTags(queries, { project, ticket: into.id, actor, at }, before, all);
  }
  await queries.updateTable("tickets").set({ updated: at }).where("id", "=", into.id).execute();
}

function numberOf({ id, hash_uuid: hash }: TicketRow): string {
  return toFullUuid(id, hash);
}
