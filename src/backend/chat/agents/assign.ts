import type { ChatRow } from "../chats/chat-rows.ts";
import { lockChat } from "../chats/chat-rows.ts";
import { requireRoom } from "../chats/chats.ts";
import { toStorable } from "../../../storage/storable.ts";
import type { NumberOrText } from "../../../api/chat/answers.ts";
import { withdraw } from "../chats/invitations.ts";
import { agentsIn, removeAgents } from "../chats/members.ts";
import { move } from "../chats/move.ts";
import type { ChatOptions } from "../options.ts";
import {
  concludeSearch,
  forgetTries,
  continueSearch,
  excludeAgent,
  SEARCH_LEASE,
} from "./search.ts";
import type { SearchStep } from "./search.ts";
import { withAppLock } from "./queue.ts";
import type { AppLock } from "../app-lock.ts";
import { isObject, parseJson } from "../../../json/values.ts";
import { signHmacHex } from "../../../json/bytes.ts";

/** Searches for an agent for a chat, and invites the one that it finds (`invited` of the chat). */
export function assign(options: ChatOptions, app: string, id: string): Promise<ChatRow> {
  return search(options, app, async (lock) => {
    const chat = await lockChat(lock.queries, app, id);
    const again = chat.phase === "invited";
    const moved = await move(lock, chat, "assign", again ? {} : { set: beginRound(lock, chat) });
    if (again) return { chat: moved, asks: null };
    await forgetTries(lock, moved);
    return continueSearch(lock, moved);
  });
}

/**
 * Takes a chat away from its agents or its invited agent, and searches for another agent, in
 * `room`.
 */
export function toInbox(
  options: ChatOptions,
  app: string,
  id: string,
  may: (lock: AppLock, chat: ChatRow) => Promise<void>,
  room?: NumberOrText,
): Promise<ChatRow> {
  return search(options, app, async (lock) => {
    const chat = await lockChat(lock.queries, app, id);
    await may(lock, chat);
    if (room !== undefined) await requireRoom(lock, toStorable(String(room)));
    return continueSearch(lock, await putBack(lock, chat, lock.now + SEARCH_LEASE, room));
  });
}

/**
 * Removes the chat's agents and its invitation, and begins a search that leaves these agents out.
 *
 * @param due time from which on another process may resume the search
 */
export async function putBack(
  lock: AppLock,
  locked: ChatRow,
  due: number,
  room?: NumberOrText,
): Promise<ChatRow> {
  const chat = locked.phase === "held" ? await withdraw(lock, locked) : locked;
  const agents = await agentsIn(lock.queries, chat);
  const set = {
    round: chat.round + 1,
    due,
    ...(room !== undefined && { room: toStorable(String(room)), room_json: JSON.stringify(room) }),
    ...(lock.settings.queue.active && { queued: chat.queued ?? lock.now }),
  };
  const data = {
    "chats:leave": { userId: chat.holder },
    "invitations:reject": { userId: chat.invited, reason: "withdrawn" },
  };
  const moved = await move(lock, chat, "toInbox", { set, data });
  await forgetTries(lock, moved);
  for (const agent of new Set([...agents, chat.invited ?? chat.holder])) {
    if (agent !== null) await excludeAgent(lock, moved, agent);
  }
  await removeAgents(lock, chat, agents);
  return moved;
}

/** Resumes a search that did not end in time. */
export async function resumeSearch(options: ChatOptions, app: string, id: string): Promise<void> {
  await search(options, app, async (lock) => {
    const chat = await lockChat(lock.queries, app, id);
    const due = chat.phase === "searching" && chat.due !== null && chat.due <= lock.now;
    if (!due) return { chat, asks: null };
    const update = lock.queries.updateTable("chat_chats").set(beginRound(lock, chat));
    const taken = update.where("number", "=", chat.number).returningAll();
    return continueSearch(lock, await taken.executeTakeFirstOrThrow());
  });
}

/** Searches in a transaction, and asks a registered address after it. */
async function search(
  options: ChatOptions,
  app: string,
  begin: (lock: AppLock) => Promise<SearchStep>,
): Promise<ChatRow> {
  const { chat, asks } = await withAppLock(options, app, begin);
  if (asks === null) return chat;
  const named = await askAddress(options, chat, asks);
  return withAppLock(options, app, async (lock) => {
    const now = await lockChat(lock.queries, app, chat.id);
    // Meanwhile the chat may be closed or taken, or another process may have resumed the search.
    const overtaken = now.phase !== "searching" || now.round !== chat.round;
    return overtaken ? now : concludeSearch(lock, now, named);
  });
}

function beginRound(
  { now }: AppLock,
  { round }: ChatRow,
): { readonly round: number; readonly due: number } {
  return { round: round + 1, due: now + SEARCH_LEASE };
}

/** Milliseconds in which a registered address may name the agent (chat.md 7). */
const timeout = 5_000;

/**
 * Asks the address that is registered for `chats:assign` which agent to invite: it may answer with
 * an agent's id, bare or as `userId`, `agentId` or `agent`. Null if it names no agent, fails or
 * takes longer than 5 seconds.
 */
async function askAddress(
  { database, hooks, now }: ChatOptions,
  chat: ChatRow,
  proposed: string,
): Promise<string | null> {
  const target = await database.kysely
    .selectFrom("chat_webhooks")
    .select(["target", "secret"])
    .where("app", "=", chat.app)
    .where("events", "like", "%,chats:assign,%")
    .orderBy("number")
    .executeTakeFirst();
  if (hooks === null || target === undefined) return null;
  const body = JSON.stringify({
    trigger: "chats:assign",
    appId: chat.app,
    data: { chatId: chat.id, userId: proposed },
    created_at: Math.floor(now() / 1000),
  });
  const signature = await signHmacHex(target.secret, body);
  const answer = await hooks({
    method: "POST",
    url: target.target,
    headers: { "content-type": "application/json", "x-hook-signature": signature },
    body,
    timeout,
  });
  return answer.ok && answer.status === 200 ? agentIn(answer.text) : null;
}

/** The agent that an answer names, or null. */
export function agentIn(text: string): string | null {
  const value = parseJson(text);
  // An answer that is no JSON may be a bare id.
  if (value === undefined) return idOf(text);
  if (!isObject(value)) return idOf(value);
  const named = ["userId", "agentId", "agent", "id"].map((name) => value[name]);
  const found = named.find((one) => one !== undefined && one !== null);
  return isObject(found) ? idOf(found["id"]) : idOf(found);
}

function idOf(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^\S{1,200}$/.test(text.trim()) ? text.trim() : null;
}
