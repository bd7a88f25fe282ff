import { sql } from "kysely";
import type { WebhookEvent } from "../../api/ticketing/answers.ts";
import type { Outbox } from "../webhooks/deliveries.ts";
import type { Queries } from "../storage/tables/database.ts";

/** Sends each webhook its due events as one list, with its secret in `x-hook-signature`. */
export const ticketOutbox: Outbox = {
  name: "webhook",
  table: "webhook_events",
  batch: 100,
  keepsUndelivered: false,
  async request(queries, webhook, events) {
    const target = await queries
      .selectFrom("webhooks")
      .select(["url", "secret"])
      .where("id", "=", webhook)
      .executeTakeFirst();
    if (target === undefined) return null;
    const headers = { "content-type": "application/json", "x-hook-signature": target.secret };
    return { url: target.url, headers, body: `[${events.join(",")}]` };
  },
};

/** An event for webhooks. `parent` is the ticket of a reply. */
export type TicketingEvent = Omit<WebhookEvent, "timestamp" | "parent"> & {
  readonly parent?: number | null;
};

/** Queues an event for webhooks in the transaction that causes it. It is sent only if that commits. */
export async function queueEvent(
  queries: Queries,
  project: string,
  now: number,
  { parent = null, ...rest }: TicketingEvent,
): Promise<void> {
  const event: WebhookEvent = { ...rest, parent, timestamp: Math.floor(now / 1000) };
  await queries
    .insertInto("webhook_events")
    .columns(["webhook", "event", "attempts", "due"])
    .expression((builder) =>
      builder
        .selectFrom("webhooks")
        .select([
          "id",
          sql<string>`${JSON.stringify(event)}`.as("event"),
          sql<number>`0`.as("attempts"),
          sql<number>`cast(${now} as bigint)`.as("due"),
        ])
        .where("project", "=", project)
        .where("item", "=", event.item),
    )
    .execute();
}
