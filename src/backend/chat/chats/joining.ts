import type { ChatRow } from "./chat-rows.ts";
import { accept, withdraw, requireFreeSlot } from "./invitations.ts";
import { agentsIn, enter, exit, isIn, notIn } from "./members.ts";
import { move } from "./move.ts";
import { readPerson } from "../agents/people.ts";
import type { AppLock } from "../app-lock.ts";

/** Returns a user to their chat, or lets an agent take an open one or join its holder. */
export async function join(lock: AppLock, chat: ChatRow, id: string): Promise<ChatRow> {
  const person = await readPerson(lock.queries, lock.app, id);
  const isPresent = await isIn(lock.queries, chat, id);
  const data = { "chats:join": { userId: id } };
  if (person.kind === "user") {
    if (chat.creator !== id) throw notIn(id);
    if (isPresent && chat.phase !== "closed") return chat;
    const moved = await move(lock, chat, "return", { data });
    await enter(lock, moved, id, "user");
    return moved;
  }
  if (isPresent && chat.phase !== "closed") return chat;
  if (chat.invited === id) return accept(lock, chat, id);
  const endOfSearch = chat.phase === "held" ? {} : { due: null, round: chat.round + 1 };
  const set = { ...endOfSearch, holder: chat.holder ?? id, taken: chat.taken ?? lock.now };
  const moved = await move(lock, chat, "join", { set, data });
  await requireFreeSlot(lock, id);
  await enter(lock, moved, id, "agent");
  return moved;
}

/** Removes a member. When the last agent leaves, the chat is open to all again, or queued. */
export async function leave(lock: AppLock, chat: ChatRow, id: string): Promise<ChatRow> {
  if (chat.phase !== "closed" && !(await isIn(lock.queries, chat, id))) throw notIn(id);
  const data = { "chats:leave": { userId: id } };
  const others = (await agentsIn(lock.queries, chat)).filter((agent) => agent !== id);
  const [next = null] = others;
  const isLast = chat.holder === id && next === null;
  const freed = isLast ? await withdraw(lock, chat) : chat;
  const moved = isLast
    ? await move(lock, freed, "leave", { data })
    : await move(lock, freed, "stepOut", {
        set: { holder: chat.holder === id ? next : chat.holder },
        data,
      });
  await exit(lock, moved, id);
  const isQueued = isLast && lock.settings.queue.active;
  return isQueued ? move(lock, moved, "enqueue", { set: { queued: lock.now } }) : moved;
}
