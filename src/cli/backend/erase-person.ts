import { isObject } from "../../json/values.ts";
import type { Queries } from "../../backend/storage/tables/database.ts";
import { keyOf } from "../../backend/ticketing/users.ts";
import { type ErasedChats, eraseChats } from "./erase-chats.ts";
import { type ErasedConversations, eraseConversations } from "./erase-conversations.ts";
import { type ErasedTickets, eraseTickets, type RemovedIds } from "./erase-tickets.ts";
import { type ErasedUser, findUsers, removeNames, removeUsers } from "./erase-users.ts";
import { deleteWhere } from "./in-portions.ts";
import { mentionOf, textsIn, type Mention } from "./mentions.ts";

export interface ErasureRequest {
  /** Address, number or UUID of a user. */
  readonly user: string;
  /** Null for all. */
  readonly project: string | null;
  readonly keepReplies: boolean;
}

export interface Erasure {
  /** The users before the erasure. */
  readonly users: readonly ErasedUser[];
  readonly tickets: ErasedTickets;
  readonly conversations: ErasedConversations;
  readonly knowledge: ErasedKnowledge;
  /** Null when the erasure is limited to a project, because chats belong to none. */
  readonly chats: ErasedChats | null;
  readonly webhookEvents: number;
  /** Tickets that this person solved, and changes that they made, now without that name. */
  readonly unnamed: number;
  /** The remaining records that contain the address. */
  readonly elsewhere: RemainingMentions;
}

/** Erases one person from every store, within one transaction. */
export async function erasePerson(queries: Queries, request: ErasureRequest): Promise<Erasure> {
  const users = await findUsers(queries, request);
  const ids = users.map(({ id }) => id);
  const addresses = new Set(users.map(({ address }) => keyOf(address)));
  if (request.user.includes("@")) addresses.add(keyOf(request.user));
  const mentions = [...addresses].map(mentionOf);
  const tickets = await eraseTickets(queries, ids, request.keepReplies);
  const conversations = await eraseConversations(queries, mentions, request.project);
  const knowledge = await eraseKnowledge(queries, mentions, request.project);
  const chats =
    request.project === null ? await eraseChats(queries, mentions, request.user.trim()) : null;
  const webhookEvents = await forgetEvents(queries, new Set(ids), tickets.removed);
  const unnamed = await removeNames(queries, ids);
  await removeUsers(queries, ids);
  const elsewhere = await findElsewhere(queries, mentions, request.project);
  return { users, tickets, conversations, knowledge, chats, webhookEvents, unnamed, elsewhere };
}

/** Deletes events about them that registered addresses have not received yet. */
async function forgetEvents(
  queries: Queries,
  users: ReadonlySet<number>,
  { tickets, replies, media }: RemovedIds,
): Promise<number> {
  const gone: ReadonlyMap<unknown, ReadonlySet<unknown>> = new Map<unknown, ReadonlySet<unknown>>([
    ["user", users],
    ["ticket", tickets],
    ["reply", replies],
    ["media", media],
  ]);
  const isAboutPerson = (json: string): boolean => {
    const parsed: unknown = JSON.parse(json);
    const event = isObject(parsed) ? new Map(Object.entries(parsed)) : new Map();
    const item: unknown = event.get("item");
    return (
      gone.get(item)?.has(event.get("id")) === true ||
      users.has(event.get("actor")) ||
      tickets.has(event.get("parent"))
    );
  };
  const rows = await queries.selectFrom("webhook_events").select(["id", "event"]).execute();
  const theirs = rows.filter(({ event }) => isAboutPerson(event)).map(({ id }) => id);
  return deleteWhere(queries, "webhook_events", "id", theirs);
}

interface ErasedKnowledge {
  readonly sessions: number;
  readonly events: number;
}

/**
 * Erases what was recorded of a person in the knowledge service: every event that holds the
 * address, in a query, a comment or the front end's data about its user, with all others of the
 * same session, and the session.
 *
 * @param project null for all
 */
async function eraseKnowledge(
  queries: Queries,
  mentions: readonly Mention[],
  project: string | null,
): Promise<ErasedKnowledge> {
  const ids = new Set<number>();
  const sessions = new Set<string>();
  for (const mention of mentions) {
    for (const row of await readCandidates(queries, mention)) {
      if (project !== null && row.project !== project) continue;
      const texts = [row.query ?? "", row.comment ?? "", ...textsIn(row.data)];
      if (!texts.some(mention.within)) continue;
      ids.add(row.id);
      if (row.session !== null) sessions.add(row.session);
    }
  }
  const ofSessions = await deleteWhere(queries, "knowledge_events", "session", sessions);
  const single = await deleteWhere(queries, "knowledge_events", "id", ids);
  const ended = await deleteWhere(queries, "knowledge_sessions", "session", sessions);
  return { sessions: ended, events: ofSessions + single };
}

interface Candidate {
  readonly id: number;
  readonly project: string;
  readonly session: string | null;
  readonly query: string | null;
  readonly comment: string | null;
  readonly data: string;
}

function readCandidates(queries: Queries, mention: Mention): Promise<readonly Candidate[]> {
  return queries
    .selectFrom("knowledge_events")
    .select(["id", "project", "session", "query", "comment", "data"])
    .where((builder) =>
      builder.or([
        mention.possible("query"),
        mention.possible("comment"),
        mention.possible("data"),
      ]),
    )
    .execute();
}

/**
 * Records that others wrote, or the operator made, and that name the address: they stay and are
 * reported.
 */
interface RemainingMentions {
  /** Ids of tickets whose own texts or replies name it. */
  readonly tickets: readonly number[];
  /** Names of API keys with a personal secret of that name. */
  readonly keys: readonly string[];
}

async function findElsewhere(
  queries: Queries,
  mentions: readonly Mention[],
  project: string | null,
): Promise<RemainingMentions> {
  const tickets = new Set<number>();
  const keys = new Set<string>();
  for (const mention of mentions) {
    for (const { id, texts, of } of await textsOfTickets(queries, mention)) {
      if ((project === null || of === project) && texts.some(mention.within)) tickets.add(id);
    }
    const rows = await queries
      .selectFrom("api_keys")
      .select(["name", "document"])
      .where("revoked", "is", null)
      .where(mention.possible("document"))
      .execute();
    for (const { name, document } of rows) {
      if (textsIn(document).some(mention.is)) keys.add(name);
    }
  }
  return { tickets: [...tickets].toSorted((a, b) => a - b), keys: [...keys] };
}

interface TicketTexts {
  readonly id: number;
  readonly of: string;
  readonly texts: readonly string[];
}

async function textsOfTickets(queries: Queries, mention: Mention): Promise<readonly TicketTexts[]> {
  const tickets = await queries
    .selectFrom("tickets")
    .select(["id", "project", "title", "message", "prior"])
    .where((builder) =>
      builder.or([
        mention.possible("title"),
        mention.possible("message"),
        mention.possible("prior"),
      ]),
    )
    .execute();
  const replies = await queries
    .selectFrom("replies")
    .select(["ticket", "project", "message"])
    .where(mention.possible("message"))
    .execute();
  return [
    ...tickets.map(({ id, project, title, message, prior }) => ({
      id,
      of: project,
      texts: [title, message, ...textsIn(prior)],
    })),
    ...replies.map(({ ticket, project, message }) => ({
      id: ticket,
      of: project,
      texts: [message],
    })),
  ];
}
