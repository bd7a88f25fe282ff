import { toStorable } from "../../storage/storable.ts";
import type { Queries } from "../storage/tables/database.ts";

/** Reads the tags of tickets, in alphabetical order. */
export async function tagsOf(
  queries: Queries,
  tickets: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (tickets.length === 0) return new Map();
  const rows = await queries
    .selectFrom("ticket_tags")
    .select(["ticket", "tag"])
    .where("ticket", "in", [...tickets])
    .orderBy("tag")
    .execute();
  const byTicket = Map.groupBy(rows, ({ ticket }) => ticket);
  return new Map([...byTicket].map(([ticket, all]) => [ticket, all.map(({ tag }) => tag)]));
}

/**
 * Lists a project's most frequent tags.
 *
 * @param queues only tickets in these queues count; null: all tickets
 */
export async function listTags(
  queries: Queries,
  project: string,
  queues: readonly number[] | null,
): Promise<readonly string[]> {
  let query = queries.selectFrom("ticket_tags").select("tag").where("project", "=", project);
  if (queues !== null) {
    const seen = queries
      .selectFrom("tickets")
      .select("id")
      .where("queue", "in", [...queues]);
    query = query.where("ticket", "in", seen);
  }
  const rows = await query
    .groupBy("tag")
    .orderBy((builder) => builder.fn.countAll(), "desc")
    .orderBy("tag")
    .limit(MAX_TAGS_OFFERED)
    .execute();
  return rows.map(({ tag }) => tag);
}

const MAX_TAGS_OFFERED = 200;

/** Replaces the tags of a ticket. */
export async function writeTags(
  queries: Queries,
  { project, ticket }: { readonly project: string; readonly ticket: number },
  tags: readonly string[],
): Promise<void> {
  await queries.deleteFrom("ticket_tags").where("ticket", "=", ticket).execute();
  const rows = [...new Set(tags.map((tag) => toStorable(tag)))].map((tag) => ({
    project,
    ticket,
    tag,
  }));
  if (rows.length > 0) await queries.insertInto("ticket_tags").values(rows).execute();
}
