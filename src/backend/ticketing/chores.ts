import { keepSweeping } from "../storage/sweeping.ts";
import { deliverEvents, type DeliveryOptions } from "../webhooks/deliveries.ts";
import type { HookTransport } from "../webhooks/hook-transport.ts";
import { sweepMedia } from "./media.ts";
import { ticketOutbox } from "./outbox.ts";

export interface ChoreOptions extends Omit<DeliveryOptions, "hooks" | "report"> {
  readonly hooks: HookTransport | null;
  readonly report: (error: unknown) => void;
}

/** Starts case management's background jobs. Several processes of one database may run them. */
export function startChores(options: ChoreOptions): () => Promise<void> {
  const { database, hooks, now, report } = options;
  const ends = [keepSweeping(() => sweepMedia(database, now()), SWEEP_EVERY, report)];
  if (hooks !== null) {
    const deliver = (): Promise<void> =>
      deliverEvents(ticketOutbox, { database, hooks, now, report });
    ends.push(keepSweeping(deliver, DELIVER_EVERY, report));
  }
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** Milliseconds between rounds. */
const DELIVER_EVERY = 1_000;
const SWEEP_EVERY = 60_000;
