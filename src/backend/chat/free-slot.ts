import { Refusal } from "../refusal.ts";
import { readCandidate } from "./candidates.ts";
import { freeSlots } from "./choose-agent.ts";
import { shown } from "../shown.ts";
import type { Turn } from "./turn.ts";

/**
 * Throws 409 for an agent who can't take another chat, 422 for somebody who is no agent of this
 * app.
 */
export async function requireFreeSlot(
  { queries, app }: Turn,
  id: string,
  { online = false }: { readonly online?: boolean } = {},
): Promise<void> {
  const agent = await readCandidate(queries, app, id);
  if (agent === null) throw new Refusal(422, `userId: there is no agent ${shown(id)}`);
  if (online && !agent.online) throw new Refusal(409, `The agent ${shown(id)} is offline.`);
  if (freeSlots(agent) > 0) return;
  throw new Refusal(409, `The agent ${shown(id)} has no free slot (${agent.slots} in all).`);
}
