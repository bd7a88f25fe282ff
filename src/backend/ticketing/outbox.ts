import { type Expression, type InsertQueryBuilder, type InsertResult, sql } from "kysely";
import type { WebhookEvent } from "../../api/ticketing/answers.ts";
import type { Outbox } from "../webhooks/deliveries.ts";
import type { Queries, Tables } from "../storage/tables/database.ts";

/** Registered addresses take the events that are due as one list, signed with their secret. */
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

/** The number of a row, or the query for it where only the database knows it yet. */
export type RowId = number | Expression<number>;

/** Something that happened. `parent` is the ticket of a reply. */
export type TicketingEvent = Pick<WebhookEvent, "item" | "action"> & {
  readonly id: RowId;
  readonly actor: number;
  readonly parent?: number | null;
};

/** Notes events for webhooks within the transaction that causes them: sent if it commits. */
export function queueEvent(
  queries: Queries,
  project: string,
  now: number,
  { id, parent = null, ...rest }: TicketingEvent,
): InsertQueryBuilder<Tables, "webhook_events", InsertResult> {
  const event = { ...rest, parent, timestamp: Math.floor(now / 1000) };
  const text =
    typeof id === "number"
      ? sql<string>`${JSON.stringify({ id, ...event } satisfies WebhookEvent)}`
      : sql<string>`replace(${JSON.stringify({ id: "$id", ...event })}, '"$id"', cast(${id} as text))`;
  return queries
    .insertInto("webhook_events")
    .columns(["webhook", "event", "attempts", "due"])
    .expression((builder) =>
      builder
        .selectFrom("webhooks")
        .select([
          "id",
          text.as("event"),
          sql<number>`0`.as("attempts"),
          sql<number>`cast(${now} as bigint)`.as("due"),
        ])
        .where("project", "=", project)
        .where("item", "=", event.item),
    );
}
