import type { ChatRow } from "./chat-rows.ts";
import { withdraw } from "./invitations.ts";
import { agentsIn, noteIdle } from "./members.ts";
import { move } from "./move.ts";
import type { AppLock } from "../app-lock.ts";

/** The actor that closes a chat when no person does (chat.md 5). */
export const SYSTEM = "system";

/**
 * Closes a chat on behalf of a person or of the system. An invitation to join a held chat is withdrawn
 * first, because an invited agent of another room does not get the chat's events.
 *
 * @throws Refusal 409 for a closed chat
 */
export async function close(
  lock: AppLock,
  locked: ChatRow,
  by: string,
  reason: string | null = null,
): Promise<ChatRow> {
  const chat = locked.phase === "held" ? await withdraw(lock, locked) : locked;
  await noteIdle(lock.queries, await agentsIn(lock.queries, chat), lock.now);
  return move(lock, chat, "close", {
    set: { closed: lock.now, closed_by: by, close_reason: reason },
    data: {
      "invitations:reject": { userId: chat.invited, reason: "withdrawn" },
      "chats:close": { userId: by },
    },
  });
}

/**
 * Handles a chat in which nobody has written for too long. Closes it if an agent wrote last. Otherwise
 * it stays open and sends an event, because the user still waits for an answer.
 */
export async function endSilence(lock: AppLock, chat: ChatRow): Promise<ChatRow> {
  if (chat.awaits !== null) {
    const set = { idle: null, unanswered: chat.unanswered ?? lock.now };
    return move(lock, chat, "wait", {
      set,
      data: { "chats:unanswered": { userId: chat.creator } },
    });
  }
  const reason = "inactivity";
  const left = await withdraw(lock, chat);
  await noteIdle(lock.queries, await agentsIn(lock.queries, left), lock.now);
  return move(lock, left, "idle", {
    set: { closed: lock.now, closed_by: SYSTEM, close_reason: reason },
    data: { "chats:close": { userId: SYSTEM, extraData: { reason } } },
  });
}
