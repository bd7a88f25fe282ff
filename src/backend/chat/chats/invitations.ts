import { Refusal, refuseFor, toPrintable } from "../../http/refusal.ts";
import type { ChatRow } from "./chat-rows.ts";
import { enter, exit, isIn } from "./members.ts";
import { cellOf, move } from "./move.ts";
import {
  answerDeadlineOf,
  continueSearchLater,
  noteInvited,
  excludeAgent,
} from "../agents/search.ts";
import type { AppLock } from "../app-lock.ts";
import { countFreeSlots, readCandidate } from "../agents/choose-agent.ts";

/** The purpose for which an agent is invited into a held chat. */
export type InvitationPurpose = "join" | "transfer";

/** Invites an agent by name. Throws 422, or 409 where state or slots do not allow it. */
export async function ask(
  lock: AppLock,
  chat: ChatRow,
  agent: string,
  what: InvitationPurpose,
): Promise<ChatRow> {
  const act = what === "transfer" ? "transfer" : "ask";
  const { to } = cellOf(chat, act);
  if (chat.invited !== null)
    throw new Refusal(409, "An agent is invited and has not answered yet.");
  await requireFreeSlot(lock, agent, { online: true });
  if (await isIn(lock.queries, chat, agent)) {
    throw new Refusal(409, `The agent ${toPrintable(agent)} is in this chat already.`);
  }
  await noteInvited(lock, agent);
  const invitation = to === "invited" ? "assign" : what;
  const set = { invited: agent, invitation, due: answerDeadlineOf(lock), round: chat.round + 1 };
  const data = { "invitations:new": { userId: agent, type: invitation } };
  return move(lock, chat, act, { set, data });
}

/** The invited agent takes, joins or takes over the chat. Throws 409 for one not invited. */
export async function accept(lock: AppLock, chat: ChatRow, agent: string): Promise<ChatRow> {
  requireInvited(chat, agent, "accept");
  const before = chat.holder;
  const joins = chat.invitation === "join" && before !== null;
  const ended = { userId: agent };
  const set = {
    invited: null,
    invitation: null,
    due: null,
    holder: joins ? before : agent,
    taken: chat.taken ?? lock.now,
  };
  const data = { "invitations:accept": ended, "chats:join": ended };
  const moved = await move(lock, chat, "accept", { set, data });
  await enter(lock, moved, agent, "agent");
  if (joins || before === null) return moved;
  await exit(lock, moved, before);
  return move(lock, moved, "stepOut", { data: { "chats:leave": { userId: before } } });
}

/** The invited agent does not take it: the search goes on with the next one. */
export async function reject(lock: AppLock, chat: ChatRow, agent: string): Promise<ChatRow> {
  requireInvited(chat, agent, "reject");
  return passOn(lock, chat, agent, "reject", {});
}

/** The invitation ends without an answer, and the search goes on. */
export async function lapse(
  lock: AppLock,
  chat: ChatRow,
  reason: "timeout" | "offline",
): Promise<ChatRow> {
  return chat.invited === null ? chat : passOn(lock, chat, chat.invited, "lapse", { reason });
}

/** Withdraws an unanswered invitation of an agent to a chat that another agent has. */
export async function withdraw(lock: AppLock, chat: ChatRow): Promise<ChatRow> {
  if (chat.invited === null) return chat;
  const data = { "invitations:reject": { userId: chat.invited, reason: "withdrawn" } };
  const set = { invited: null, invitation: null, due: null };
  return move(lock, chat, "lapse", { set, data });
}

async function passOn(
  lock: AppLock,
  chat: ChatRow,
  agent: string,
  act: "reject" | "lapse",
  why: { readonly reason?: string },
): Promise<ChatRow> {
  const { to } = cellOf(chat, act);
  const searches = to === "searching";
  if (searches) await excludeAgent(lock, chat, agent);
  const set = {
    invited: null,
    invitation: null,
    round: chat.round + 1,
    // The chores continue the search, which may have to ask a registered address.
    due: searches ? lock.now : null,
  };
  const data = { "invitations:reject": { userId: agent, ...why } };
  const moved = await move(lock, chat, act, { set, data });
  return searches ? continueSearchLater(lock, moved) : moved;
}

function requireInvited(chat: ChatRow, agent: string, act: "accept" | "reject"): void {
  cellOf(chat, act);
  if (chat.invited === null) throw new Refusal(409, "Nobody is invited to the chat.");
  if (chat.invited !== agent) {
    throw new Refusal(409, `${toPrintable(agent)} is not the agent who is invited to the chat.`);
  }
}

/** Throws 409 for an agent without a free slot, 422 for no agent of this app. */
export async function requireFreeSlot(
  { queries, app }: AppLock,
  id: string,
  { online = false }: { readonly online?: boolean } = {},
): Promise<void> {
  const agent = await readCandidate(queries, app, id);
  if (agent === null) throw new Refusal(422, `userId: there is no agent ${toPrintable(id)}`);
  if (online && !agent.online)
    throw refuseFor(409, "busy", `The agent ${toPrintable(id)} is offline, busy or away.`);
  if (countFreeSlots(agent) > 0) return;
  throw refuseFor(
    409,
    "busy",
    `The agent ${toPrintable(id)} has no free slot (${agent.slots} in all).`,
  );
}
