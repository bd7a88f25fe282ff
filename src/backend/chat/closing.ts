import type { ChatRow } from "./chat-rows.ts";
import { agentsIn, noteIdle } from "./members.ts";
import { move } from "./move.ts";
import type { Turn } from "./turn.ts";

/** Who closes a chat that no person closes (chat.md 5). */
export const SYSTEM = "system";

/** Closes a chat on behalf of somebody or of the system. Throws 409 for a closed one. */
export async function close(turn: Turn, chat: ChatRow, by: string): Promise<ChatRow> {
  await noteIdle(turn.queries, await agentsIn(turn.queries, chat), turn.now);
  return move(turn, chat, "close", {
    set: { closed: turn.now, closed_by: by },
    data: { "chats:close": { userId: by } },
  });
}

/** Closes a chat in which nobody has said anything for too long. */
export async function closeIdle(turn: Turn, chat: ChatRow): Promise<ChatRow> {
  const reason = "inactivity";
  await noteIdle(turn.queries, await agentsIn(turn.queries, chat), turn.now);
  return move(turn, chat, "idle", {
    set: { closed: turn.now, closed_by: SYSTEM, close_reason: reason },
    data: { "chats:close": { userId: SYSTEM, extraData: { reason } } },
  });
}
