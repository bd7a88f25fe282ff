import type { Selectable } from "kysely";
import type { ChatUndelivered } from "../../api/chat/types.ts";
import type { ChatWebhookEventTable } from "../storage/tables/chat.ts";
import { chatDelivery } from "../../api/chat/answers.ts";
import type { ChatOptions, Queries } from "./options.ts";
import { readWebhook } from "./webhooks.ts";

/** Milliseconds that an undelivered event is kept. */
export const UNDELIVERED_KEPT: number = 30 * 86_400_000;

/** What a registered address did not take, oldest first. Throws 404. */
export async function listUndelivered(
  queries: Queries,
  app: string,
  id: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly ChatUndelivered[]> {
  const { number } = await readWebhook(queries, app, id);
  const rows = await queries
    .selectFrom("chat_webhook_events")
    .selectAll()
    .where("webhook", "=", number)
    .where("given_up", "is not", null)
    .orderBy("id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(toUndelivered);
}

/**
 * Sends it again, from the first attempt on and before what came later. How many there were: all,
 * or those of `ids`. Throws 404.
 */
export async function resendUndelivered(
  { database, now }: Pick<ChatOptions, "database" | "now">,
  app: string,
  id: string,
  ids: readonly number[] | null,
): Promise<number> {
  const { number } = await readWebhook(database.kysely, app, id);
  let update = database.kysely
    .updateTable("chat_webhook_events")
    .set({ given_up: null, attempts: 0, due: now(), created: now() })
    .where("webhook", "=", number)
    .where("given_up", "is not", null);
  if (ids !== null) update = update.where("id", "in", [...ids]);
  return (await update.returning("id").execute()).length;
}

function toUndelivered(row: Selectable<ChatWebhookEventTable>): ChatUndelivered {
  return {
    id: row.id,
    event: chatDelivery.parse(JSON.parse(row.event)),
    attempts: row.attempts,
    reason: row.reason ?? "",
    givenUp: Math.floor((row.given_up ?? 0) / 1000),
  };
}
