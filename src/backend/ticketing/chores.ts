import { keepSweeping } from "../storage/sweeping.ts";
import { deliverEvents, type DeliveryOptions } from "../webhooks/deliveries.ts";
import type { HookTransport } from "../webhooks/hook-transport.ts";
import { sweepMedia } from "./media.ts";
import { ticketOutbox } from "./outbox.ts";

export interface ChoreOptions extends Omit<DeliveryOptions, "hooks" | "report"> {
  readonly hooks: HookTransport | null;
  readonly report: (error: unknown) => void;
  /** Milliseconds between rounds. Default: deliveries 1,000, deleting unattached files a minute. */
  readonly deliverEvery?: number;
  readonly sweepEvery?: number;
}

/** Starts case management's background jobs. Several processes of one database may run them. */
export function startChores(options: ChoreOptions): () => Promise<void> {
  const { database, hooks, now, report, deliverEvery = 1_000, sweepEvery = 60_000 } = options;
  const ends = [keepSweeping(() => sweepMedia(database, now()), sweepEvery, report)];
  if (hooks !== null) {
    const deliver = (): Promise<void> =>
      deliverEvents(ticketOutbox, { database, hooks, now, report });
    ends.push(keepSweeping(deliver, deliverEvery, report));
  }
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}
