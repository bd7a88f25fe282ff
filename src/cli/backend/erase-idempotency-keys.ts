import type { Queries } from "../../backend/ticketing/identity.ts";
import { inPortions } from "./in-portions.ts";

/**
 * Erases the keys under which tickets and replies were created, before those are gone. A key keeps
 * the number of what it made, and not of what kind: of a ticket and a reply with the same number it
 * made the one that is nearest to it in time.
 *
 * @returns how many
 */
export async function forgetIdempotencyKeys(
  queries: Queries,
  made: { readonly tickets: ReadonlySet<number>; readonly replies: ReadonlySet<number> },
): Promise<number> {
  const keys = await inPortions(made.tickets.union(made.replies), (some) =>
    queries
      .selectFrom("idempotency_keys")
      .select(["project", "key", "created", "created_id"])
      .where("created_id", "in", some)
      .execute(),
  );
  const ids = new Set(keys.map((key) => key.created_id));
  const tickets = await momentsOf(queries, "tickets", ids);
  const replies = await momentsOf(queries, "replies", ids);
  const theirs = keys.filter(({ project, created, created_id: id }) => {
    const distance = (moments: Moments): number => {
      const moment = moments.get(id);
      return moment?.project === project ? Math.abs(moment.created - created) : Infinity;
    };
    const [ofTicket, ofReply] = [distance(tickets), distance(replies)];
    return (
      (made.tickets.has(id) && ofTicket <= ofReply && ofTicket < Infinity) ||
      (made.replies.has(id) && ofReply <= ofTicket && ofReply < Infinity)
    );
  });
  for (const { project, key } of theirs) {
    const query = queries.deleteFrom("idempotency_keys").where("project", "=", project);
    await query.where("key", "=", key).execute();
  }
  return theirs.length;
}

type Moments = ReadonlyMap<number, { readonly project: string; readonly created: number }>;

async function momentsOf(
  queries: Queries,
  table: "tickets" | "replies",
  ids: ReadonlySet<number>,
): Promise<Moments> {
  const rows = await inPortions(ids, (some) =>
    queries
      .selectFrom(table)
      .select(["id", "project", "created"])
      .where("id", "in", some)
      .execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
