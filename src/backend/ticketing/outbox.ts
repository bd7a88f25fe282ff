import { sql } from "kysely";
import type { WebhookEvent } from "../../api/ticketing/answers.ts";
import type { Outbox } from "../webhooks/deliveries.ts";
import type { Queries } from "../storage/tables/database.ts";

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

/** Something that happened. `parent` is the ticket of a reply. */
export type Happening = Pick<WebhookEvent, "id" | "item" | "action"> & {
  readonly actor: number;
  readonly parent?: number | null;
};

/**
 * Notes what registered addresses are to be told. Within the transaction that makes it true: what
 * is undone is never told, and what is done is told even if the process ends in the next moment.
 */
export async function queueEvents(
  queries: Queries,
  project: string,
  now: number,
  happenings: readonly Happening[],
): Promise<void> {
  for (const { parent = null, ...happening } of happenings) {
    const event: WebhookEvent = { ...happening, parent, timestamp: Math.floor(now / 1000) };
    await queries
      .insertInto("webhook_events")
      .columns(["webhook", "event", "attempts", "due"])
      .expression((builder) =>
        builder
          .selectFrom("webhooks")
          .select([
            "id",
            sql<string>`${JSON.stringify(event)}`.as("event"),
            sql<number>`${sql.lit(0)}`.as("attempts"),
            sql<number>`${sql.lit(now)}`.as("due"),
          ])
          .where("project", "=", project)
          .where("item", "=", happening.item),
      )
      .execute();
  }
}
