import { ASSIGN_RULES } from "../../../api/chat/states.ts";
import { chooseAgent, countFreeSlots, readCandidates } from "./choose-agent.ts";
import type { Candidate, AgentCriteria } from "./choose-agent.ts";
import type { ChatRow } from "../chats/chat-rows.ts";
import { move } from "../chats/move.ts";
import { readRules } from "./rooms.ts";
import type { AppLock } from "../app-lock.ts";

/** Milliseconds after which another process resumes an unfinished search. */
export const SEARCH_LEASE = 10_000;

/** Milliseconds until an agent who did not accept a queued chat is invited again. */
const retryAfter = 60_000;
const never = 10 * 365 * 86_400_000;

/** The result of a search. `asks`: the agent to invite unless a registered address names another. */
export interface SearchStep {
  readonly chat: ChatRow;
  readonly asks: string | null;
}

/**
 * Continues the search of a chat in the phase `searching`: invites an agent, or finds none. If a
 * registered address may choose the agent (chat.md 7), the chat is left unchanged, because no
 * network call is made within a transaction.
 */
export async function continueSearch(lock: AppLock, chat: ChatRow): Promise<SearchStep> {
  const chosen = await findPreferred(lock, chat, await readCandidates(lock.queries, lock.app));
  if (chosen !== null && (await addressChooses(lock))) return { chat, asks: chosen.id };
  return { chat: await concludeSearch(lock, chat, null), asks: null };
}

/** Like {@link continueSearch}, but leaves asking the address to the background jobs. */
export async function continueSearchLater(lock: AppLock, chat: ChatRow): Promise<ChatRow> {
  return (await continueSearch(lock, chat)).chat;
}

/** Invites `named` if free, or else the preferred agent, if any. A queued chat stays queued. */
export async function concludeSearch(
  lock: AppLock,
  chat: ChatRow,
  named: string | null,
): Promise<ChatRow> {
  const candidates = await readCandidates(lock.queries, lock.app);
  const asked = candidates.find(({ id }) => id === named);
  const chosen =
    asked !== undefined && countFreeSlots(asked) > 0
      ? asked
      : await findPreferred(lock, chat, candidates);
  if (chosen === null) return move(lock, chat, chat.queued === null ? "exhaust" : "requeue");
  return inviteFound(lock, chat, chosen.id);
}

/** Invites the agent that the search found. */
export async function inviteFound(lock: AppLock, chat: ChatRow, agent: string): Promise<ChatRow> {
  await noteInvited(lock, agent);
  const invitation = { userId: agent };
  return move(lock, chat, "invite", {
    set: { invited: agent, invitation: "assign", due: answerDeadlineOf(lock) },
    data: { "chats:assign": invitation, "invitations:new": invitation },
  });
}

export function answerDeadlineOf({ now, settings }: AppLock): number {
  return now + settings.invitationTimeout * 1000;
}

export async function noteInvited({ queries, app, now }: AppLock, agent: string): Promise<void> {
  const { newest } = await queries
    .selectFrom("chat_agents")
    .select(({ fn }) => fn.max("invited_last").as("newest"))
    .where("app", "=", app)
    .executeTakeFirstOrThrow();
  const update = queries
    .updateTable("chat_agents")
    .set({ invited_last: createInvitationTime(newest, now) });
  await update.where("id", "=", agent).execute();
}

/** Returns a unique time for an invitation, so that those of one millisecond have an order. */
export function createInvitationTime(newest: number, now: number): number {
  return Math.max(newest + 1, now);
}

/** Excludes an agent who did not accept from this search, or for a while if the chat is queued. */
export async function excludeAgent(
  { queries, now }: AppLock,
  chat: ChatRow,
  agent: string,
): Promise<void> {
  const until = now + (chat.queued === null ? never : retryAfter);
  await queries
    .insertInto("chat_tries")
    .values({ chat: chat.number, agent, until })
    .onConflict((conflict) => conflict.columns(["chat", "agent"]).doUpdateSet({ until }))
    .execute();
}

/** Forgets which agents did not accept, so that a new search may invite all of them. */
export async function forgetTries({ queries }: AppLock, chat: ChatRow): Promise<void> {
  await queries.deleteFrom("chat_tries").where("chat", "=", chat.number).execute();
}

/** True if a registered address chooses the agent. */
export async function addressChooses({ queries, app, options }: AppLock): Promise<boolean> {
  if (options.hooks === null) return false;
  const row = await queries
    .selectFrom("chat_webhooks")
    .select("number")
    .where("app", "=", app)
    .where("events", "like", "%,chats:assign,%")
    .executeTakeFirst();
  return row !== undefined;
}

async function findPreferred(
  lock: AppLock,
  chat: ChatRow,
  candidates: readonly Candidate[],
): Promise<Candidate | null> {
  const [waiting] = await readCriteria(lock, [chat]);
  return waiting === undefined ? null : chooseAgent(candidates, waiting.criteria);
}

/** Reads the criteria by which an agent is chosen for each chat. */
export async function readCriteria(
  { queries, app, now }: AppLock,
  chats: readonly ChatRow[],
): Promise<readonly { readonly chat: ChatRow; readonly criteria: AgentCriteria }[]> {
  const tries = await queries
    .selectFrom("chat_tries")
    .select(["chat", "agent"])
    .where(
      "chat",
      "in",
      chats.map(({ number }) => number),
    )
    .where("until", ">", now)
    .execute();
  const triedOf = Map.groupBy(tries, ({ chat }) => chat);
  const rules = await readRules(queries, app);
  return chats.map((chat) => ({
    chat,
    criteria: {
      room: chat.room,
      lang: chat.lang,
      except: new Set((triedOf.get(chat.number) ?? []).map(({ agent }) => agent)),
      assign: rules.get(chat.room) ?? ASSIGN_RULES[0],
    },
  }));
}
