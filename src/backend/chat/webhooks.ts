import type { Selectable } from "kysely";
import type { z } from "zod";
import type { newWebhook } from "../../api/chat/schema-project.ts";
import type { ChatWebhook, ChatUndelivered } from "../../api/chat/answers.ts";
import { Refusal } from "../http/refusal.ts";
import { toStorable } from "../../storage/storable.ts";
import type { ChatWebhookTable, ChatWebhookEventTable } from "../storage/tables/chat.ts";
import { refuseUnknown } from "./errors.ts";
import { createId, createSecret } from "./ids.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { ChatOptions } from "./options.ts";
import { HOST_NOT_LISTED } from "../webhooks/hook-transport.ts";
import { chatDelivery } from "../../api/chat/answers.ts";

export type WebhookCreation = z.infer<typeof newWebhook>;
type WebhookRow = Selectable<ChatWebhookTable>;

const handshakeTimeout = 5_000;

/** Registers an address after a handshake. Only this call returns the secret. Throws 422. */
export async function createWebhook(
  options: ChatOptions,
  app: string,
  request: WebhookCreation,
): Promise<{ readonly webhook: ChatWebhook; readonly secret: string }> {
  const { database, now, random } = options;
  const secret = request.secret ?? createSecret(random);
  await shakeHands(options, request.target, secret);
  const row = { ...columnsOf(request), id: createId(random), app, secret, created: now() };
  const insert = database.kysely.insertInto("chat_webhooks").values(row).returningAll();
  return { webhook: toWebhook(await insert.executeTakeFirstOrThrow()), secret };
}

/** Replaces an address after a handshake; pending events go to the new one. Throws 404, 422. */
export async function changeWebhook(
  options: ChatOptions,
  app: string,
  id: string,
  request: WebhookCreation,
): Promise<{ readonly webhook: ChatWebhook }> {
  const { database } = options;
  const before = await readWebhook(database.kysely, app, id);
  const secret = request.secret ?? before.secret;
  await shakeHands(options, request.target, secret);
  const update = database.kysely
    .updateTable("chat_webhooks")
    .set({ ...columnsOf(request), secret })
    .where("number", "=", before.number)
    .returningAll();
  return { webhook: toWebhook(await update.executeTakeFirstOrThrow()) };
}

export async function readWebhook(queries: Queries, app: string, id: string): Promise<WebhookRow> {
  const row = await queries
    .selectFrom("chat_webhooks")
    .selectAll()
    .where("id", "=", id)
    .where("app", "=", app)
    .executeTakeFirst();
  if (row === undefined) throw refuseUnknown("webhook", id);
  return row;
}

export async function listWebhooks(queries: Queries, app: string): Promise<readonly ChatWebhook[]> {
  const query = queries.selectFrom("chat_webhooks").selectAll().where("app", "=", app);
  return (await query.orderBy("number").execute()).map((row) => toWebhook(row));
}

export function toWebhook({ id, events, target, created }: WebhookRow): ChatWebhook {
  return { id, events: events.slice(1, -1), target, created: Math.floor(created / 1000) };
}

/** Sends a POST with `X-Hook-Secret`, which requires 200 with the same header (chat.md 8). */
async function shakeHands({ hooks }: ChatOptions, target: string, secret: string): Promise<void> {
  if (!/^https?:$/.test(URL.parse(target)?.protocol ?? "")) {
    throw new Refusal(422, "target: must be an http or https address");
  }
  if (hooks === null) throw new Refusal(422, `target: cannot be called: ${HOST_NOT_LISTED}`);
  const answer = await hooks({
    method: "POST",
    url: target,
    headers: { "content-type": "application/json", "x-hook-secret": secret },
    body: "{}",
    timeout: handshakeTimeout,
  });
  if (!answer.ok) throw new Refusal(422, `target: cannot be called: ${answer.reason}`);
  if (answer.status !== 200 || answer.headers?.get("x-hook-secret") !== secret) {
    throw new Refusal(
      422,
      `target: must answer a POST with status 200 and repeat the header X-Hook-Secret; it answered ${answer.status}`,
    );
  }
}

function columnsOf({ events, target }: WebhookCreation): {
  readonly events: string;
  readonly target: string;
} {
  return { events: `,${[...new Set(events)].join(",")},`, target: toStorable(target) };
}

/** Milliseconds that an undelivered event is kept. */
export const UNDELIVERED_KEPT: number = 30 * 86_400_000;

/** Lists the undelivered events of a registered address, oldest first. Throws 404. */
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

/** Sends all, or those of `ids`, again before later events. Returns their number. Throws 404. */
export async function resendUndelivered(
  { database, now }: Pick<ChatOptions, "database" | "now">,
  app: string,
  id: string,
  ids: readonly number[] | null,
): Promise<number> {
  const { number } = await readWebhook(database.kysely, app, id);
  let update = database.kysely
    .updateTable("chat_webhook_events")
    .set({ given_up: null, refused: 0, attempts: 0, due: now(), created: now() })
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
