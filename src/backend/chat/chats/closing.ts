import type { ChatRow } from "./chat-rows.ts";
import { agentsIn, noteIdle } from "./members.ts";
import { move } from "./move.ts";
import type { AppLock } from "../app-lock.ts";

/** Who closes a chat that no person closes (chat.md 5). */
export const SYSTEM = "system";

/** Closes a chat on behalf of a person or of the system. Throws 409 for a closed one. */
export async function close(
  lock: AppLock,
  chat: ChatRow,
  by: string,
  reason: string | null = null,
): Promise<ChatRow> {
  await noteIdle(lock.queries, await agentsIn(lock.queries, chat), lock.now);
  return move(lock, chat, "close", {
    set: { closed: lock.now, closed_by: by, close_reason: reason },
    data: { "chats:close": { userId: by } },
  });
}

/** Closes a chat in which nobody has said anything for too long. */
export async function closeIdle(lock: AppLock, chat: ChatRow): Promise<ChatRow> {
  const reason = "inactivity";
  await noteIdle(lock.queries, await agentsIn(lock.queries, chat), lock.now);
  return move(lock, chat, "idle", {
    set: { closed: lock.now, closed_by: SYSTEM, close_reason: reason },
    data: { "chats:close": { userId: SYSTEM, extraData: { reason } } },
  });
}
