import { toStorable } from "../../storage/storable.ts";
import type { Queries } from "../storage/tables/database.ts";
import { recordChanges } from "./ticket-rows.ts";

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
 * @param queues only tickets in these queues count; null for all tickets
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

export interface TagChange {
  readonly project: string;
  readonly ticket: number;
  readonly actor: number;
  readonly at: number;
}

/** Replaces the tags of a ticket, and records it in its history. */
export async function changeTags(
  queries: Queries,
  { at, ...of }: TagChange,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const tags = [...new Set(after)].toSorted();
  const record = { action: "update", field: "tags" } as const;
  await writeTags(queries, of, tags);
  await recordChanges(queries, of, at, [
    { ...record, before: before.join(", "), after: tags.join(", ") },
  ]);
}

async function writeTags(
  queries: Queries,
  { project, ticket }: Pick<TagChange, "project" | "ticket">,
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
