import type { EscalationRecord } from "../../escalation/record.ts";
import { Superseded } from "../../escalation/scope.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import type { Core } from "../core.ts";

/** Does what is due without anybody asking: tickets that could not be made, chats that nobody took. */
export interface Keeper {
  start(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** One round now; how many conversations were attended to. */
  round(): Promise<number>;
}

export function createKeeper(
  core: Pick<Core, "platform" | "metrics">,
  store: EscalationStore,
  attend: (record: EscalationRecord) => Promise<EscalationRecord>,
): Keeper {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let working: Promise<unknown> = Promise.resolve();
  let stopped = true;

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      next(pause);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await working;
    },
    round,
  };

  function next(wait: number): void {
    timer = setTimeout(() => {
      working = again();
    }, wait);
    // Nothing that waits here keeps a process alive.
    if (typeof timer === "object") timer.unref?.();
  }

  async function again(): Promise<void> {
    let attended = 0;
    try {
      attended = await round();
    } catch {
      core.metrics.count("afterword_escalation_failures_total");
    }
    // As many as there may be: there are more.
    if (!stopped) next(attended < atOnce ? pause : 0);
  }

  async function round(): Promise<number> {
    const due = await store.due(core.platform.now(), atOnce, lease);
    await Promise.all(due.map((record) => one(record)));
    return due.length;
  }

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

const pause = 1000;
const atOnce = 20;
/** Of one that another process attends to nothing is written here: it is looked at again after this. */
const lease = 15_000;
