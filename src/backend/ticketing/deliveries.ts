import type { BackendDatabase, Queries } from "../storage/tables/database.ts";
import type { HookTransport } from "../webhooks/hook.ts";
import { DELIVERY_CLAIM, DELIVERY_TIMEOUT, MOST_ATTEMPTS, waitAfter } from "../webhooks/retries.ts";

export interface DeliveryOptions {
  readonly database: BackendDatabase;
  readonly hooks: HookTransport;
  readonly now: () => number;
  /** Told about events that were given up. Default: nobody. */
  readonly report?: (error: Error) => void;
}

/** Events in one delivery. */
export const BATCH = 100;

/**
 * Tells every registered address what it is due, in batches, once among all processes: a process
 * moves what it takes ahead in time first, and so no other sees it. An address that does not answer
 * 2xx is told again later, with growing waits, about 10 hours long; then its events are given up.
 * The same event may arrive twice, after a crash or a lost answer: never not at all.
 */
export async function deliverEvents(options: DeliveryOptions): Promise<void> {
  const { database, now } = options;
  const due = await database.kysely
    .selectFrom("webhook_events")
    .select("webhook")
    .distinct()
    .where("due", "<=", now())
    .execute();
  await Promise.all(due.map(({ webhook }) => deliverTo(webhook, options)));
}

interface Taken {
  readonly id: number;
  readonly event: string;
  readonly attempts: number;
}

async function deliverTo(webhook: number, options: DeliveryOptions): Promise<void> {
  const { database, hooks, now } = options;
  for (;;) {
    const taken = await database.transaction((queries) => take(queries, webhook, now()));
    const target = await database.kysely
      .selectFrom("webhooks")
      .select(["url", "secret"])
      .where("id", "=", webhook)
      .executeTakeFirst();
    if (taken.length === 0 || target === undefined) return;
    const answer = await hooks({
      method: "POST",
      url: target.url,
      headers: { "content-type": "application/json", "x-hook-signature": target.secret },
      body: `[${taken.map(({ event }) => event).join(",")}]`,
      timeout: DELIVERY_TIMEOUT,
    });
    const arrived = answer.ok && answer.status >= 200 && answer.status < 300;
    if (!arrived) return postpone(taken, webhook, options);
    await database.kysely.deleteFrom("webhook_events").where("id", "in", ids(taken)).execute();
  }
}

/**
 * Oldest first. On PostgreSQL two processes that choose the same rows take turns, and the second
 * finds them moved.
 */
async function take(queries: Queries, webhook: number, now: number): Promise<readonly Taken[]> {
  const chosen = queries
    .selectFrom("webhook_events")
    .select("id")
    .where("webhook", "=", webhook)
    .where("due", "<=", now)
    .orderBy("id")
    .limit(BATCH);
  const rows = await queries
    .updateTable("webhook_events")
    .set((builder) => ({ due: now + DELIVERY_CLAIM, attempts: builder("attempts", "+", 1) }))
    .where("id", "in", chosen)
    .where("due", "<=", now)
    .returning(["id", "event", "attempts"])
    .execute();
  return rows.toSorted((a, b) => a.id - b.id);
}

async function postpone(
  taken: readonly Taken[],
  webhook: number,
  { database, now, report }: DeliveryOptions,
): Promise<void> {
  const given = taken.filter(({ attempts }) => attempts >= MOST_ATTEMPTS);
  if (given.length > 0) {
    await database.kysely.deleteFrom("webhook_events").where("id", "in", ids(given)).execute();
    report?.(
      new Error(
        `webhook ${webhook} did not answer ${MOST_ATTEMPTS} times: ${given.length} events are given up`,
      ),
    );
  }
  for (const { id, attempts } of taken) {
    if (attempts >= MOST_ATTEMPTS) continue;
    const wait = waitAfter(attempts);
    const query = database.kysely.updateTable("webhook_events").set({ due: now() + wait });
    await query.where("id", "=", id).execute();
  }
}

function ids(taken: readonly Taken[]): number[] {
  return taken.map(({ id }) => id);
}
