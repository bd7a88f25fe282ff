import type { HookTransport } from "../webhooks/hook.ts";
import { DELIVERY_CLAIM, DELIVERY_TIMEOUT, MOST_ATTEMPTS, waitAfter } from "../webhooks/retries.ts";
import { signatureOf } from "./hook-signature.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { ChatOptions } from "./options.ts";

interface Taken {
  readonly id: number;
  readonly event: string;
  readonly attempts: number;
}

export type DeliveryOptions = Pick<ChatOptions, "database" | "now"> & {
  readonly hooks: HookTransport;
  readonly report: (error: unknown) => void;
};

/**
 * Tells every registered address what it is due, one event a call, in order, once among all
 * processes: a process moves what it takes ahead in time first, and so no other sees it. An address
 * that does not answer 2xx is told again later, with growing waits, about 10 hours long; then the
 * event, and all that have waited behind it for an hour, are undelivered, and kept
 * (`undelivered.ts`). The same event may arrive twice, after a crash or a lost answer: never not at
 * all.
 */
export async function deliverChatEvents(options: DeliveryOptions): Promise<void> {
  const { database, now } = options;
  const due = await database.kysely
    .selectFrom("chat_webhook_events")
    .select("webhook")
    .distinct()
    .where("due", "<=", now())
    .where("given_up", "is", null)
    .execute();
  await Promise.all(due.map(({ webhook }) => deliverTo(webhook, options)));
}

async function deliverTo(webhook: number, options: DeliveryOptions): Promise<void> {
  const { database, hooks, now } = options;
  for (;;) {
    const taken = await database.transaction((queries) => take(queries, webhook, now()));
    const target = await database.kysely
      .selectFrom("chat_webhooks")
      .select(["target", "secret"])
      .where("number", "=", webhook)
      .executeTakeFirst();
    if (taken === null || target === undefined) return;
    const answer = await hooks({
      method: "POST",
      url: target.target,
      // Never with X-Hook-Secret: receivers take that for a handshake (chat.md 8).
      headers: {
        "content-type": "application/json",
        "x-hook-signature": await signatureOf(target.secret, taken.event),
      },
      body: taken.event,
      timeout: DELIVERY_TIMEOUT,
    });
    const arrived = answer.ok && answer.status >= 200 && answer.status < 300;
    if (!arrived) {
      const reason = answer.ok ? `it answered ${answer.status}` : answer.reason;
      return postpone(taken, webhook, reason, options);
    }
    await forget(database.kysely, taken.id);
  }
}

/** The oldest, unless one before it waits for another attempt: the order is kept. */
async function take(queries: Queries, webhook: number, now: number): Promise<Taken | null> {
  const oldest = queries
    .selectFrom("chat_webhook_events")
    .select("id")
    .where("webhook", "=", webhook)
    .where("given_up", "is", null)
    .orderBy("id")
    .limit(1);
  const row = await queries
    .updateTable("chat_webhook_events")
    .set((builder) => ({ due: now + DELIVERY_CLAIM, attempts: builder("attempts", "+", 1) }))
    .where("id", "in", oldest)
    .where("due", "<=", now)
    .returning(["id", "event", "attempts"])
    .executeTakeFirst();
  return row ?? null;
}

/** Events that have waited this long go with one that is given up after 10 hours. */
const waitedLong = 3_600_000;

async function postpone(
  { id, attempts }: Taken,
  webhook: number,
  reason: string,
  { database, now, report }: DeliveryOptions,
): Promise<void> {
  const at = now();
  const update = database.kysely.updateTable("chat_webhook_events");
  if (attempts < MOST_ATTEMPTS) {
    const due = at + waitAfter(attempts);
    await update.set({ due, reason }).where("id", "=", id).execute();
    return;
  }
  const given = await update
    .set({ given_up: at, reason })
    .where("webhook", "=", webhook)
    .where("given_up", "is", null)
    .where((event) => event.or([event("id", "=", id), event("created", "<=", at - waitedLong)]))
    .returning("id")
    .execute();
  report(
    new Error(
      `chat webhook ${webhook} did not answer ${attempts} times (${reason}): ${given.length} events are undelivered`,
    ),
  );
}

async function forget(queries: Queries, id: number): Promise<void> {
  await queries.deleteFrom("chat_webhook_events").where("id", "=", id).execute();
}
