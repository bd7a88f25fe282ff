import type { EscalationRecord } from "../../escalation/record.ts";
import { type AtOnce, createAtOnce } from "./at-once.ts";
import { createSubscribers } from "./ears.ts";
import { createInTurn } from "./in-turn.ts";
import { createKeeper } from "./keeper.ts";
import { createHeldConversations } from "./leftovers.ts";

/**
 * What escalation has where the requests of a process may wait for each other, and the process
 * itself keeps the time: the opposite of {@link import("./apart.ts").Apart}. Handed in, so that a
 * worker need not carry it.
 */
export interface Together {
  readonly createAtOnce: () => AtOnce<EscalationRecord>;
  readonly createSubscribers: typeof createSubscribers;
  readonly createInTurn: typeof createInTurn;
  readonly createKeeper: typeof createKeeper;
  readonly createHeldConversations: typeof createHeldConversations;
}

export const together: Together = {
  createAtOnce,
  createSubscribers,
  createInTurn,
  createKeeper,
  createHeldConversations,
};
