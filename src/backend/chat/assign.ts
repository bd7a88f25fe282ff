import { askAddress } from "./assign-hook.ts";
import type { ChatRow } from "./chat-rows.ts";
import { lockChat } from "./chat-rows.ts";
import { withdraw } from "./invitations.ts";
import { agentsIn, sendAway } from "./members.ts";
import { move } from "./move.ts";
import type { ChatOptions } from "./options.ts";
import { conclude, forgetTries, goOn, noteTried, SEARCH_LEASE } from "./search.ts";
import type { SearchStep } from "./search.ts";
import { takeTurn } from "./turn.ts";
import type { Turn } from "./turn.ts";

/**
 * Looks for an agent for a chat. Gives the chat as it is then: `invited` names the agent, or nobody
 * was found.
 */
export function assign(options: ChatOptions, app: string, id: string): Promise<ChatRow> {
  return search(options, app, async (turn) => {
    const chat = await lockChat(turn.queries, app, id);
    const again = chat.phase === "invited";
    const moved = await move(turn, chat, "assign", again ? {} : { set: begun(turn, chat) });
    if (again) return { chat: moved, asks: null };
    await forgetTries(turn, moved);
    return goOn(turn, moved);
  });
}

/** Takes a chat from its agents, or from the one invited, and looks for another. */
export function toInbox(
  options: ChatOptions,
  app: string,
  id: string,
  may: (turn: Turn, chat: ChatRow) => Promise<void>,
): Promise<ChatRow> {
  return search(options, app, async (turn) => {
    const chat = await lockChat(turn.queries, app, id);
    await may(turn, chat);
    return goOn(turn, await putBack(turn, chat, turn.now + SEARCH_LEASE));
  });
}

/**
 * Ends what the chat's agents had to do with it, and begins a search in which they are not asked.
 *
 * @param due when another process takes the search up, if nobody has brought it to an end
 */
export async function putBack(turn: Turn, locked: ChatRow, due: number): Promise<ChatRow> {
  const chat = locked.phase === "held" ? await withdraw(turn, locked) : locked;
  const agents = await agentsIn(turn.queries, chat);
  const set = {
    round: chat.round + 1,
    due,
    ...(turn.settings.queue.active && { queued: chat.queued ?? turn.now }),
  };
  const data = {
    "chats:leave": { userId: chat.holder },
    "invitations:reject": { userId: chat.invited, reason: "withdrawn" },
  };
  const moved = await move(turn, chat, "toInbox", { set, data });
  await forgetTries(turn, moved);
  for (const agent of new Set([...agents, chat.invited ?? chat.holder])) {
    if (agent !== null) await noteTried(turn, moved, agent);
  }
  await sendAway(turn, chat, agents);
  return moved;
}

/** Takes up a search that nobody has brought to an end in time. */
export async function resumeSearch(options: ChatOptions, app: string, id: string): Promise<void> {
  await search(options, app, async (turn) => {
    const chat = await lockChat(turn.queries, app, id);
    const due = chat.phase === "searching" && chat.due !== null && chat.due <= turn.now;
    if (!due) return { chat, asks: null };
    const update = turn.queries.updateTable("chat_chats").set(begun(turn, chat));
    const taken = update.where("number", "=", chat.number).returningAll();
    return goOn(turn, await taken.executeTakeFirstOrThrow());
  });
}

/**
 * First what the database knows; then, outside of any transaction, what a registered address says.
 */
async function search(
  options: ChatOptions,
  app: string,
  begin: (turn: Turn) => Promise<SearchStep>,
): Promise<ChatRow> {
  const { chat, asks } = await takeTurn(options, app, begin);
  if (asks === null) return chat;
  const named = await askAddress(options, chat, asks);
  return takeTurn(options, app, async (turn) => {
    const now = await lockChat(turn.queries, app, chat.id);
    // Closed, taken, or taken up by somebody else meanwhile.
    const overtaken = now.phase !== "searching" || now.round !== chat.round;
    return overtaken ? now : conclude(turn, now, named);
  });
}

function begun(
  { now }: Turn,
  { round }: ChatRow,
): { readonly round: number; readonly due: number } {
  return { round: round + 1, due: now + SEARCH_LEASE };
}
