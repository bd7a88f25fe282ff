import type { HookTransport } from "../webhooks/hook.ts";
import { DELIVERY_CLAIM, DELIVERY_TIMEOUT, MOST_ATTEMPTS, waitAfter } from "../webhooks/retries.ts";
import { signatureOf } from "./hook-signature.ts";
import type { ChatOptions, Queries } from "./options.ts";

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
 * Tells every registered address what it is due, one event a call, in order, once among all processes: a process moves what
 * it takes ahead in time first, and so no other sees it. An address that does not answer 2xx is told again later, with
 * growing waits, about 10 hours long. The same event may arrive twice, after a crash or a lost answer: never not at all.
 */
export async function deliverChatEvents(options: DeliveryOptions): Promise<void> {
  const { database, now } = options;
  const due = await database.kysely
    .selectFrom("chat_webhook_events")
    .select("webhook")
    .distinct()
    .where("due", "<=", now())
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
    if (!arrived) return postpone(taken, webhook, options);
    await forget(database.kysely, taken.id);
  }
}

/** The oldest, unless one before it waits for another attempt: what comes later is not told first. */
async function take(queries: Queries, webhook: number, now: number): Promise<Taken | null> {
  const oldest = queries
    .selectFrom("chat_webhook_events")
    .select("id")
    .where("webhook", "=", webhook)
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

async function postpone(
  { id, attempts }: Taken,
  webhook: number,
  { database, now, report }: DeliveryOptions,
): Promise<void> {
  if (attempts >= MOST_ATTEMPTS) {
    await forget(database.kysely, id);
    report(
      new Error(`chat webhook ${webhook} did not answer ${attempts} times: an event is given up`),
    );
    return;
  }
  const wait = waitAfter(attempts);
  const update = database.kysely.updateTable("chat_webhook_events").set({ due: now() + wait });
  await update.where("id", "=", id).execute();
}

async function forget(queries: Queries, id: number): Promise<void> {
  await queries.deleteFrom("chat_webhook_events").where("id", "=", id).execute();
}
