import { sql } from "kysely";
import type { ChatTrigger } from "../../api/chat/states.ts";
import { signHmacHex } from "../../json/bytes.ts";
import type { Outbox } from "../webhooks/deliveries.ts";
import type { Queries } from "../storage/tables/database.ts";

/** Sends one event per call, in order. Undelivered ones are kept: see webhooks.ts. */
export const chatOutbox: Outbox = {
  name: "chat webhook",
  table: "chat_webhook_events",
  batch: 1,
  keepsUndelivered: true,
  async request(queries, webhook, [body = ""]) {
    const found = await queries
      .selectFrom("chat_webhooks")
      .select(["target", "secret"])
      .where("number", "=", webhook)
      .executeTakeFirst();
    if (found === undefined) return null;
    // X-Hook-Secret is left out, because receivers would take the event for a handshake (chat.md 8).
    const headers = {
      "content-type": "application/json",
      "x-hook-signature": await signHmacHex(found.secret, body),
    };
    return { url: found.target, headers, body };
  },
};

export interface EmittedEvent {
  readonly app: string;
  /** Number of the chat. */
  readonly chat: number;
  readonly trigger: ChatTrigger;
  readonly data: Readonly<Record<string, unknown>>;
  readonly now: number;
}

/**
 * Writes an event to the chat's log, from which histories and event streams are read, and to the
 * outbox of every registered address that subscribed to it. It is part of the transaction with the
 * change: a change that is rolled back sends nothing, and a committed one is sent even if the process
 * ends immediately.
 */
export async function emit(
  queries: Queries,
  { app, chat, trigger, data, now }: EmittedEvent,
): Promise<void> {
  const line = { app, chat, trigger_name: trigger, data: JSON.stringify(data), at: now };
  await queries.insertInto("chat_log").values(line).execute();
  const body = { trigger, appId: app, data, created_at: Math.floor(now / 1000) };
  await sql`INSERT INTO chat_webhook_events (webhook, chat, event, attempts, due, created)
    SELECT number, cast(${chat} AS bigint), ${JSON.stringify(body)}, 0, cast(${now} AS bigint), cast(${now} AS bigint)
    FROM chat_webhooks WHERE app = ${app} AND events LIKE ${`%,${trigger},%`}`.execute(queries);
}
