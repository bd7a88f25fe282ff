import { Refusal } from "../http/refusal.ts";
import type { Queries } from "../storage/tables/database.ts";
import { lockRow, writeColumns } from "./change-ticket.ts";
import { toFullUuid } from "./identity.ts";
import { tagsOf, writeTags } from "./tags.ts";
import { recordChanges } from "./ticket-rows.ts";
import type { TicketRow } from "./ticket-rows.ts";

/**
 * Merges a double into another ticket, within a transaction. The double is closed, what was said in
 * it is shown with the other, and later replies to it go there. Nothing is copied or deleted.
 *
 * @throws Refusal 409 where one of them is merged already, or the other one is closed
 */
export async function mergeTickets(
  queries: Queries,
  { from: double, into: other }: { readonly from: number; readonly into: number },
  { actor, at }: { readonly actor: number; readonly at: number },
): Promise<void> {
  if (double === other) throw new Refusal(422, "into: a ticket cannot be merged into itself");
  // Locked in one order for all, so that two who merge the same tickets never wait for each other.
  const locked = new Map<number, TicketRow>();
  for (const id of [double, other].toSorted((a, b) => a - b)) {
    locked.set(id, await lockRow(queries, id));
  }
  const [from, into] = [locked.get(double), locked.get(other)];
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
  // A ticket that is not solved stays to be done.
  const open = from.status < 4 && into.status === 4;
  const columns = {
    ...(open && { status: 2 }),
    ...(into.solver === null && from.solver !== null && { solver: from.solver }),
  };
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
