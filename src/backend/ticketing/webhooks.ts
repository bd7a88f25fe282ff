import { toHex } from "../../json/bytes.ts";
import type { Selectable } from "kysely";
import type { WebhookTable } from "../storage/tables/ticketing.ts";
import { HOST_NOT_LISTED } from "../webhooks/hook-transport.ts";
import { toStorable } from "../../storage/storable.ts";
import type { NewWebhook } from "../../api/ticketing/schema.ts";
import { type Webhook, webhookItem } from "../../api/ticketing/answers.ts";
import type { TicketingOptions } from "./context.ts";
import { toCreatedAnswer, idOf, uuidFrom } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";
import { Refusal } from "../http/refusal.ts";

const CHALLENGE_TIMEOUT = 5_000;

/** Registers an address after it has answered a challenge. Throws 422 with the reason. */
export async function createWebhook(
  options: TicketingOptions,
  project: string,
  webhook: NewWebhook,
): Promise<object> {
  await challengeWebhook(options, webhook);
  const { database, now, random, wire } = options;
  const hash = uuidFrom(random(16));
  const row = { ...toStorableWebhook(webhook), project, hash_uuid: hash, created: now() };
  const id = await database.durable(async (queries) => {
    const insert = queries.insertInto("webhooks").values(row).returning("id");
    return (await insert.executeTakeFirstOrThrow()).id;
  });
  return toCreatedAnswer(wire, id, hash);
}

/** Replaces an address after a challenge; pending events go to the new one. Throws 404, 422. */
export async function changeWebhook(
  options: TicketingOptions,
  project: string,
  identifier: string,
  webhook: NewWebhook,
): Promise<Webhook> {
  const { database } = options;
  const id = await idOf(database.kysely, "webhooks", project, identifier);
  await challengeWebhook(options, webhook);
  return database.durable(async (queries) => {
    const update = queries.updateTable("webhooks").set(toStorableWebhook(webhook));
    return toWebhook(await update.where("id", "=", id).returningAll().executeTakeFirstOrThrow());
  });
}

export async function removeWebhook(
  { database }: TicketingOptions,
  project: string,
  identifier: string,
): Promise<void> {
  await database.durable(async (queries) => {
    const id = await idOf(queries, "webhooks", project, identifier);
    await queries.deleteFrom("webhooks").where("id", "=", id).execute();
  });
}

export async function listWebhooks(
  queries: Queries,
  project: string,
  limit: number,
  offset: number,
): Promise<readonly Webhook[]> {
  const query = queries.selectFrom("webhooks").selectAll().where("project", "=", project);
  const rows = await query.orderBy("id").limit(limit).offset(offset).execute();
  return rows.map((row) => toWebhook(row));
}

/** Sends a random challenge, which an owner of the address echoes as text with 200 (ticketing.md 7.1). */
async function challengeWebhook(
  { hooks, random }: TicketingOptions,
  { url, secret }: NewWebhook,
): Promise<void> {
  if (URL.parse(url)?.protocol !== "https:")
    throw new Refusal(422, "url: must be an https address");
  if (hooks === null) throw new Refusal(422, `url: cannot be called: ${HOST_NOT_LISTED}`);
  const sent = toHex(random(16));
  const answer = await hooks({
    method: "GET",
    url,
    headers: { "x-hook-signature": secret, "x-inbenta-challenge": sent },
    body: null,
    timeout: CHALLENGE_TIMEOUT,
  });
  if (!answer.ok) throw new Refusal(422, `url: cannot be called: ${answer.reason}`);
  if (answer.status !== 200 || answer.text.trim() !== sent) {
    throw new Refusal(
      422,
      `url: must answer a GET with status 200 and the value of X-Inbenta-Challenge as text; it answered ${answer.status}`,
    );
  }
}

function toStorableWebhook({
  item,
  url,
  secret,
}: NewWebhook): Pick<NewWebhook, "item" | "url" | "secret"> {
  return { item, url: toStorable(url), secret };
}

function toWebhook(row: Selectable<WebhookTable>): Webhook {
  return {
    id: row.id,
    hash_uuid: row.hash_uuid,
    item: webhookItem.options.find((item) => item === row.item) ?? "alert",
    url: row.url,
    created: Math.floor(row.created / 1000),
  };
}
