import { passOnInvitations } from "./agents.ts";
import { putBack } from "./assign.ts";
import { lockChat } from "./chat-rows.ts";
import { leave } from "./joining.ts";
import { agentsIn, openChatsOf } from "./members.ts";
import type { ChatOptions } from "./options.ts";
import { goOnLater } from "./search.ts";
import { takeTurn } from "./turn.ts";
import type { Turn } from "./turn.ts";

/**
 * Takes an agent's login away: tokens are worthless from now on, invitations pass on, and for every
 * open chat that the agent held alone another one is looked for. The name stays, so that histories
 * can be read; login and externalId are free again.
 *
 * @returns how many open chats the agent was in
 */
export function revokeAgent(options: ChatOptions, app: string, id: string): Promise<number> {
  return takeTurn(options, app, async (turn) => {
    const { queries } = turn;
    // First of all offline, so that no search finds this agent again.
    await queries.updateTable("chat_agents").set({ online: 0 }).where("id", "=", id).execute();
    await queries.deleteFrom("chat_tokens").where("person", "=", id).execute();
    await passOnInvitations(turn, id);
    const chats = await openChatsOf(queries, app, id);
    for (const chat of chats) await giveAway(turn, chat, id);
    await queries.deleteFrom("chat_agent_rooms").where("agent", "=", id).execute();
    await queries.deleteFrom("chat_agents").where("id", "=", id).execute();
    const free = queries.updateTable("chat_people").set({ external_id: null });
    await free.where("id", "=", id).execute();
    return chats.length;
  });
}

/** To another agent who is in the chat, or to whom the search finds. */
async function giveAway(turn: Turn, id: string, agent: string): Promise<void> {
  const chat = await lockChat(turn.queries, turn.app, id);
  const others = (await agentsIn(turn.queries, chat)).filter((one) => one !== agent);
  if (others.length > 0) await leave(turn, chat, agent);
  else await goOnLater(turn, await putBack(turn, chat, turn.now));
}
