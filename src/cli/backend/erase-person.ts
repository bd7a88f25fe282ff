import type { Queries } from "../../backend/ticketing/identity.ts";
import { keyOf } from "../../backend/ticketing/users.ts";
import { type ErasedChats, eraseChats } from "./erase-chats.ts";
import { type ErasedConversations, eraseConversations } from "./erase-conversations.ts";
import { type ErasedKnowledge, eraseKnowledge } from "./erase-knowledge.ts";
import { type ErasedTickets, eraseTickets, type RemovedIds } from "./erase-tickets.ts";
import { type ErasedUser, findUsers, removeNames, removeUsers } from "./erase-users.ts";
import { findElsewhere, type FoundElsewhere } from "./found-elsewhere.ts";
import { inPortions } from "./in-portions.ts";
import { mentionOf } from "./mentions.ts";

export interface ErasureRequest {
  /** Address, number or UUID of a user. */
  readonly user: string;
  /** Null for all. */
  readonly project: string | null;
  readonly keepReplies: boolean;
}

export interface Erasure {
  /** As they were. */
  readonly users: readonly ErasedUser[];
  readonly tickets: ErasedTickets;
  readonly conversations: ErasedConversations;
  readonly knowledge: ErasedKnowledge;
  /** Null when one project was meant: chats belong to none. */
  readonly chats: ErasedChats | null;
  readonly webhookEvents: number;
  /** Tickets that somebody solved, and changes that somebody made, without that name now. */
  readonly unnamed: number;
  /** What names the address and stayed. */
  readonly elsewhere: FoundElsewhere;
}

/**
 * Erases one person from every store. Within one transaction: what is not committed has not
 * happened.
 */
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

/** What registered addresses were still to be told of them. */
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
  const about = (json: string): boolean => {
    const parsed: unknown = JSON.parse(json);
    const event =
      typeof parsed === "object" && parsed !== null ? new Map(Object.entries(parsed)) : new Map();
    const item: unknown = event.get("item");
    return (
      gone.get(item)?.has(event.get("id")) === true ||
      users.has(event.get("actor")) ||
      tickets.has(event.get("parent"))
    );
  };
  const rows = await queries.selectFrom("webhook_events").select(["id", "event"]).execute();
  const theirs = rows.filter(({ event }) => about(event)).map(({ id }) => id);
  const deleted = await inPortions(theirs, (some) =>
    queries.deleteFrom("webhook_events").where("id", "in", some).returning("id").execute(),
  );
  return deleted.length;
}
