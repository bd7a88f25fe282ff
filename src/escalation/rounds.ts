import type { EscalationRecord } from "./stores/record.ts";
import { Superseded } from "./records/scope.ts";
import type { EscalationStore } from "./stores/store.ts";

/**
 * Does the work that is due without a request: retries tickets, and polls chats.
 *
 * @param failed called for a conversation that could not be advanced; null if the store could not
 *   list them
 */
export function createRounds(
  store: EscalationStore,
  now: () => number,
  advance: (record: EscalationRecord) => Promise<unknown>,
  failed: (error: unknown, conversation: string | null) => void,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let working: Promise<unknown> = Promise.resolve();
  let stopped = true;

  return {
    /** Runs one round, and returns the number of conversations in it. */
    once: advanceDue,
    /** Runs rounds one after the other. */
    start() {
      if (!stopped) return;
      stopped = false;
      scheduleNext(pause);
    },
    /** Resolves when the running work has ended. */
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };

  async function advanceDue(): Promise<number> {
    const due = await store.leaseDue(now(), maxAtOnce, lease);
    await Promise.all(due.map(advanceOne));
    return due.length;
  }

  async function advanceOne(record: EscalationRecord): Promise<void> {
    try {
      await advance(record);
    } catch (error) {
      if (!(error instanceof Superseded)) failed(error, record.key);
    }
  }

  function scheduleNext(wait: number): void {
    timer = setTimeout(() => {
      working = repeat();
    }, wait);
    // The timer keeps no process alive.
    if (typeof timer === "object") timer.unref?.();
  }

  async function repeat(): Promise<void> {
    const found = await advanceDue().catch((error: unknown) => {
      failed(error, null);
      return 0;
    });
    // A full batch means that more are due.
    if (!stopped) scheduleNext(found < maxAtOnce ? pause : 0);
  }
}

const maxAtOnce = 20;
const pause = 1000;
/** Milliseconds after which a conversation that another process advances is examined again. */
const lease = 15_000;
