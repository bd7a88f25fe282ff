import type { Queries } from "../../backend/storage/tables/database.ts";
import { forgetTexts } from "./erase-chats.ts";
import { askInPortions, clearWhere, deleteWhere } from "./in-portions.ts";

export interface ErasedTickets {
  readonly tickets: number;
  readonly replies: number;
  readonly media: number;
  readonly history: number;
  readonly surveys: number;
  readonly keys: number;
  /** Replies to others' tickets that lost their text, or only their author (`keepReplies`). */
  readonly repliesElsewhere: number;
  /** Ids of others' tickets whose parent ticket was erased. */
  readonly detached: readonly number[];
  readonly removed: RemovedIds;
}

/** Ids of the erased rows, for everything that refers to them. */
export interface RemovedIds {
  readonly tickets: ReadonlySet<number>;
  readonly replies: ReadonlySet<number>;
  readonly media: ReadonlySet<number>;
}

/** The text that replaces an erased reply in another person's ticket. */
export const ERASED_REPLY = "(erased)";

/**
 * Erases the tickets that users created, with all dependent rows, and their replies in others'
 * tickets.
 *
 * @param keepReplies true if their replies in others' tickets stay, without their name
 */
export async function eraseTickets(
  queries: Queries,
  users: readonly number[],
  keepReplies: boolean,
): Promise<ErasedTickets> {
  // Locks the rows, so that no reply is added meanwhile.
  const tickets = await askInPortions(users, (some) =>
    queries
      .updateTable("tickets")
      .set((builder) => ({ status: builder.ref("status") }))
      .where("creator", "in", some)
      .returning("id")
      .execute(),
  );
  const ticketIds = new Set(tickets.map(({ id }) => id));
  const within = await askInPortions(ticketIds, (some) =>
    queries.selectFrom("replies").select(repliesColumns).where("ticket", "in", some).execute(),
  );
  const written = await askInPortions(users, (some) =>
    queries.selectFrom("replies").select(repliesColumns).where("creator", "in", some).execute(),
  );
  const elsewhere = written.filter(({ ticket }) => !ticketIds.has(ticket));
  const emptied = keepReplies ? [] : elsewhere.map(({ id }) => id);
  await askInPortions(emptied, (some) =>
    queries
      .updateTable("replies")
      .set({ message: ERASED_REPLY })
      .where("id", "in", some)
      .returning("id")
      .execute(),
  );
  await deleteWhere(queries, "mails", "reply", emptied);
  await askInPortions(emptied, (some) =>
    queries
      .deleteFrom("search_texts")
      .where("kind", "=", "reply")
      .where("source", "in", some)
      .returning("id")
      .execute(),
  );
  for (const kind of ["ticket", "reply", "ticket-note"] as const) {
    await forgetTexts(queries, kind, ticketIds);
  }
  const media = await detachMedia(queries, ticketIds, emptied);
  const history = await deleteWhere(queries, "ticket_events", "ticket", ticketIds);
  await deleteWhere(queries, "ticket_notes", "ticket", ticketIds);
  await deleteWhere(queries, "ticket_tags", "ticket", ticketIds);
  const surveys = await deleteWhere(queries, "survey_answers", "ticket", ticketIds);
  const keys = await forgetIdempotencyKeys(queries, {
    tickets: ticketIds,
    replies: new Set([...within, ...written].map(({ id }) => id)),
  });
  await deleteWhere(queries, "mails", "ticket", ticketIds);
  await deleteWhere(queries, "mail_references", "ticket", ticketIds);
  const replies = await deleteWhere(queries, "replies", "ticket", ticketIds);
  const parts = await releaseTickets(queries, ticketIds);
  await deleteWhere(queries, "tickets", "id", ticketIds);
  return {
    tickets: ticketIds.size,
    replies,
    media: media.size,
    history,
    surveys,
    keys,
    repliesElsewhere: elsewhere.length,
    detached: parts.filter((id) => !ticketIds.has(id)),
    removed: { tickets: ticketIds, replies: new Set(within.map(({ id }) => id)), media },
  };
}

/** Removes references to these tickets. @returns the tickets that were parts of them */
async function releaseTickets(
  queries: Queries,
  tickets: ReadonlySet<number>,
): Promise<readonly number[]> {
  const parts = await askInPortions(tickets, (some) =>
    queries
      .updateTable("tickets")
      .set({ parent: null })
      .where("parent", "in", some)
      .returning("id")
      .execute(),
  );
  await clearWhere(queries, "tickets", "merged", tickets);
  return parts.map(({ id }) => id);
}

const repliesColumns = ["id", "ticket"] as const;

/** Detaches media from tickets and replies, and deletes the files that nothing else uses. */
async function detachMedia(
  queries: Queries,
  tickets: ReadonlySet<number>,
  replies: readonly number[],
): Promise<ReadonlySet<number>> {
  const ofTickets = await askInPortions(tickets, (some) =>
    queries.deleteFrom("attachments").where("ticket", "in", some).returning("media").execute(),
  );
  const ofReplies = await askInPortions(replies, (some) =>
    queries.deleteFrom("attachments").where("reply", "in", some).returning("media").execute(),
  );
  const loose = new Set([...ofTickets, ...ofReplies].map(({ media }) => media));
  const stillUsed = await askInPortions(loose, (some) =>
    queries.selectFrom("attachments").select("media").where("media", "in", some).execute(),
  );
  for (const { media } of stillUsed) loose.delete(media);
  await deleteWhere(queries, "media", "id", loose);
  return loose;
}

/**
 * Erases the idempotency keys of tickets and replies, before those are deleted. A key has the number
 * of its ticket or reply, but not the kind. If both have the number, it belongs to the one whose
 * creation is closer in time.
 *
 * @returns how many
 */
async function forgetIdempotencyKeys(
  queries: Queries,
  made: { readonly tickets: ReadonlySet<number>; readonly replies: ReadonlySet<number> },
): Promise<number> {
  const keys = await askInPortions(made.tickets.union(made.replies), (some) =>
    queries
      .selectFrom("idempotency_keys")
      .select(["project", "key", "created", "created_id"])
      .where("created_id", "in", some)
      .execute(),
  );
  const ids = new Set(keys.map((key) => key.created_id));
  const tickets = await creationTimesOf(queries, "tickets", ids);
  const replies = await creationTimesOf(queries, "replies", ids);
  const theirs = keys.filter(({ project, created, created_id: id }) => {
    const measureDistance = (moments: CreationTimes): number => {
      const moment = moments.get(id);
      return moment?.project === project ? Math.abs(moment.created - created) : Infinity;
    };
    const [ofTicket, ofReply] = [measureDistance(tickets), measureDistance(replies)];
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

type CreationTimes = ReadonlyMap<number, { readonly project: string; readonly created: number }>;

async function creationTimesOf(
  queries: Queries,
  table: "tickets" | "replies",
  ids: ReadonlySet<number>,
): Promise<CreationTimes> {
  const rows = await askInPortions(ids, (some) =>
    queries
      .selectFrom(table)
      .select(["id", "project", "created"])
      .where("id", "in", some)
      .execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
