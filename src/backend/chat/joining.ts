import type { ChatRow } from "./chat-rows.ts";
import { accept, withdraw, requireFreeSlot } from "./invitations.ts";
import { agentsIn, enter, exit, isIn, notIn } from "./members.ts";
import { move } from "./move.ts";
import { readPerson } from "./people.ts";
import type { Turn } from "./turn.ts";

/** A user comes back to their chat, or an agent takes an open one or joins its holder. */
export async function join(turn: Turn, chat: ChatRow, id: string): Promise<ChatRow> {
  const person = await readPerson(turn.queries, turn.app, id);
  const there = await isIn(turn.queries, chat, id);
  const data = { "chats:join": { userId: id } };
  if (person.kind === "user") {
    if (chat.creator !== id) throw notIn(id);
    if (there && chat.phase !== "closed") return chat;
    const moved = await move(turn, chat, "return", { data });
    await enter(turn, moved, id, "user");
    return moved;
  }
  if (there && chat.phase !== "closed") return chat;
  if (chat.invited === id) return accept(turn, chat, id);
  const free = chat.phase === "held" ? {} : { due: null, round: chat.round + 1 };
  const set = { ...free, holder: chat.holder ?? id, taken: chat.taken ?? turn.now };
  const moved = await move(turn, chat, "join", { set, data });
  await requireFreeSlot(turn, id);
  await enter(turn, moved, id, "agent");
  return moved;
}

/**
 * Somebody leaves. When it was the last agent, the chat is open to all again, or takes its place in
 * the queue.
 */
export async function leave(turn: Turn, chat: ChatRow, id: string): Promise<ChatRow> {
  if (chat.phase !== "closed" && !(await isIn(turn.queries, chat, id))) throw notIn(id);
  const data = { "chats:leave": { userId: id } };
  const others = (await agentsIn(turn.queries, chat)).filter((agent) => agent !== id);
  const [next = null] = others;
  const last = chat.holder === id && next === null;
  const freed = last ? await withdraw(turn, chat) : chat;
  const moved = last
    ? await move(turn, freed, "leave", { data })
    : await move(turn, freed, "stepOut", {
        set: { holder: chat.holder === id ? next : chat.holder },
        data,
      });
  await exit(turn, moved, id);
  const queues = last && turn.settings.queue.active;
  return queues ? move(turn, moved, "enqueue", { set: { queued: turn.now } }) : moved;
}
