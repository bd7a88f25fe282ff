import { runSteps } from "../../escalation/ladder.ts";
import type { EscalationRecord } from "../../escalation/record.ts";
import { type Scope, Superseded } from "../../escalation/scope.ts";
import { retryUnsettled } from "../../escalation/settle.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import { followChat } from "../../escalation/tend.ts";
import type { AtOnce } from "./at-once.ts";

/** Does an escalation's outside work, one process at a time for each conversation. */
export interface Advancer {
  /**
   * Brings a record as far as it goes now: climbs where it is on the ladder, takes over what
   * happened in its chat, tries again what could not be decided. May be called by anybody at any
   * time.
   *
   * @param patience how long to wait for another who is at it just now, in milliseconds; default:
   *   not at all
   * @returns the record as it is stored afterwards
   */
  attend(scope: Scope, record: EscalationRecord, patience?: number): Promise<EscalationRecord>;
  /** Resolves when what is under way now has ended. */
  idle(): Promise<unknown>;
}

/**
 * @param by names this process to the others that share the store
 * @param atOnce null: requests of this process do not wait for each other
 * @param outlive as in {@link import("./apart.ts").Apart}
 */
export function createAdvancer(
  store: EscalationStore,
  by: string,
  atOnce: AtOnce<EscalationRecord> | null,
  outlive: (work: Promise<unknown>) => void,
): Advancer {
  let requests = 0;

  return {
    idle: () => atOnce?.idle() ?? Promise.resolve(),
    attend(scope, record, patience = 0) {
      // Who waits for others waits for the work of this process too: joined, it may be one that was
      // not let to it.
      if (atOnce !== null && patience === 0) {
        return atOnce.join(record.key, () => claimed(scope, record, by, patience));
      }
      const alone = claimed(scope, record, `${by}-${requests++}`, patience);
      outlive(alone);
      return alone;
    },
  };

  async function claimed(
    scope: Scope,
    record: EscalationRecord,
    by: string,
    patience: number,
  ): Promise<EscalationRecord> {
    const name = `attend:${record.key}`;
    const until = scope.now() + patience;
    while (!(await store.claim(name, by, lease))) {
      if (scope.now() >= until) return (await store.get(record.key)) ?? record;
      await new Promise((resolve) => setTimeout(resolve, again));
    }
    // Short, so that nobody waits long for a process that is gone; a live one says again and again
    // that it is there.
    const alive = setInterval(() => {
      store.claim(name, by, lease).catch(() => undefined);
    }, lease / 3);
    try {
      return await attended(scope, record);
    } finally {
      clearInterval(alive);
      // Whoever cannot give it back lets it lapse.
      await store.release(name, by).catch(() => undefined);
    }
  }
}

async function attended(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await once(scope, await scope.load(record));
    } catch (error) {
      if (!(error instanceof Superseded) || attempt >= mostAttempts) throw error;
    }
  }
}

async function once(scope: Scope, stored: EscalationRecord): Promise<EscalationRecord> {
  let record = stored;
  const tended = await followChat(scope, record);
  if (tended !== record) record = await scope.save(tended);
  if (record.phase.name === "reaching") record = await runSteps(scope, record);
  record = await retryUnsettled(scope, record);
  const isUnchanged = record.revision === stored.revision;
  // Nothing has changed: it is looked at again later, not at once.
  return isUnchanged && record.wake !== null && record.wake <= scope.now()
    ? scope.save(record)
    : record;
}

/**
 * How long one process has a conversation's outside work to itself without saying so again, in
 * milliseconds.
 */
const lease = 6000;
/** How often a claim is asked for by who waits for it, in milliseconds. */
const again = 250;
const mostAttempts = 8;
