import { ASSIGN_RULES } from "../../../api/chat/states.ts";
import { chooseAgent, freeSlots, readCandidates } from "./choose-agent.ts";
import type { Candidate, AgentCriteria } from "./choose-agent.ts";
import type { ChatRow } from "../chats/chat-rows.ts";
import { move } from "../chats/move.ts";
import { readRules } from "./rooms.ts";
import type { AppLock } from "../app-lock.ts";

/** Milliseconds after which another process resumes an unfinished search. */
export const SEARCH_LEASE = 10_000;

/** Milliseconds after which an agent who did not take a queued chat is asked again. */
const askedAgain = 60_000;
const never = 10 * 365 * 86_400_000;

/** The result of a search. `asks`: a registered address decides, or else this agent. */
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
  return { chat: await conclude(lock, chat, null), asks: null };
}

/** Calls {@link continueSearch}, and leaves it to the chores to ask the address. */
export async function continueSearchLater(lock: AppLock, chat: ChatRow): Promise<ChatRow> {
  return (await continueSearch(lock, chat)).chat;
}

/** Invites `named` if free, else the preferred agent, else nobody. A queued chat stays queued. */
export async function conclude(
  lock: AppLock,
  chat: ChatRow,
  named: string | null,
): Promise<ChatRow> {
  const candidates = await readCandidates(lock.queries, lock.app);
  const asked = candidates.find(({ id }) => id === named);
  const chosen =
    asked !== undefined && freeSlots(asked) > 0
      ? asked
      : await findPreferred(lock, chat, candidates);
  if (chosen === null) return move(lock, chat, chat.queued === null ? "exhaust" : "requeue");
  return inviteFound(lock, chat, chosen.id);
}

/** Invites the agent that the search found. */
export async function inviteFound(lock: AppLock, chat: ChatRow, agent: string): Promise<ChatRow> {
  await noteInvited(lock, agent);
  const told = { userId: agent };
  return move(lock, chat, "invite", {
    set: { invited: agent, invitation: "assign", due: answerBy(lock) },
    data: { "chats:assign": told, "invitations:new": told },
  });
}

export function answerBy({ now, settings }: AppLock): number {
  return now + settings.invitationTimeout * 1000;
}

export async function noteInvited({ queries, app, now }: AppLock, agent: string): Promise<void> {
  const { newest } = await queries
    .selectFrom("chat_agents")
    .select(({ fn }) => fn.max("invited_last").as("newest"))
    .where("app", "=", app)
    .executeTakeFirstOrThrow();
  const update = queries.updateTable("chat_agents").set({ invited_last: laterThan(newest, now) });
  await update.where("id", "=", agent).execute();
}

/** Returns a unique time for an invitation, so that those of one millisecond have an order. */
export function laterThan(newest: number, now: number): number {
  return Math.max(newest + 1, now);
}

/** Records that an agent did not take the chat, and is not asked again in this search or for a while. */
export async function noteTried(
  { queries, now }: AppLock,
  chat: ChatRow,
  agent: string,
): Promise<void> {
  const until = now + (chat.queued === null ? never : askedAgain);
  await queries
    .insertInto("chat_tries")
    .values({ chat: chat.number, agent, until })
    .onConflict((conflict) => conflict.columns(["chat", "agent"]).doUpdateSet({ until }))
    .execute();
}

/** A new search asks everybody again. */
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

/** Reads the requirements of each of several chats towards an agent. */
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
