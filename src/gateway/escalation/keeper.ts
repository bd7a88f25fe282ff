import type { EscalationRecord } from "../../escalation/record.ts";
import { Superseded } from "../../escalation/scope.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import type { Core } from "../core.ts";
import type { Records } from "./records.ts";

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
  records: Records,
  attend: (record: EscalationRecord) => Promise<EscalationRecord>,
): Keeper {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let working: Promise<unknown> = Promise.resolve();
  let stopped = true;

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      next();
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await working;
    },
    round,
  };

  function next(): void {
    timer = setTimeout(() => {
      working = round()
        .catch(() => core.metrics.count("afterword_escalation_failures_total"))
        .finally(() => {
          if (!stopped) next();
        });
    }, pause);
    // Nothing that waits here keeps a process alive.
    if (typeof timer === "object") timer.unref?.();
  }

  async function round(): Promise<number> {
    const due = await store.due(core.platform.now(), atOnce, lease);
    await Promise.all(due.map((record) => one(record)));
    return due.length;
  }

  async function one(record: EscalationRecord): Promise<void> {
    try {
      const attended = await attend(record);
      // Nothing has changed: it is looked at again later, not at once.
      if (attended.revision === record.revision) await records.save(attended);
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
const lease = 90_000;
