import type { EscalationRecord } from "../../escalation/record.ts";
import { Superseded } from "../../escalation/scope.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import type { Core } from "../core.ts";

/**
 * Does once what is due without anybody asking: tickets that could not be made, chats that nobody
 * took. How many conversations were attended to.
 */
export type Round = () => Promise<number>;

export function createRounds(
  core: Pick<Core, "platform" | "metrics">,
  store: EscalationStore,
  attend: (record: EscalationRecord) => Promise<EscalationRecord>,
): Round {
  return async () => {
    const due = await store.due(core.platform.now(), atOnce, lease);
    await Promise.all(due.map((record) => one(record)));
    return due.length;
  };

  async function one(record: EscalationRecord): Promise<void> {
    try {
      await attend(record);
    } catch (error) {
      if (error instanceof Superseded) return;
      core.metrics.count("afterword_escalation_failures_total");
      const detail = error instanceof Error ? error.message : String(error);
      core.platform.log("warn", "escalation-failed", { conversation: record.key, detail });
    }
  }
}

/** So many are attended to in one round. */
export const atOnce = 20;
/**
 * Of one that another process attends to nothing is written here: it is looked at again after this.
 */
const lease = 15_000;
