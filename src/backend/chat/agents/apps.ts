import { hashSha256Hex } from "../../../json/bytes.ts";
import type { Selectable } from "kysely";
import type { ChatApp } from "../../../api/chat/answers.ts";
import { toStorable } from "../../../storage/storable.ts";
import type { ChatAppTable } from "../../storage/tables/chat.ts";
import { refuseUnknown } from "../errors.ts";
import { createId, createSecret } from "../ids.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { ChatOptions } from "../options.ts";
import { toPresence } from "./presence.ts";

type Minimal = Pick<ChatOptions, "database" | "now" | "random">;

/**
 * Registers an app, which begins with nothing. For `POST /apps` and for the command line. The secret
 * is shown once: only its digest is kept.
 */
export async function registerApp({ database, now, random }: Minimal, name: string) {
  let id = createId(random);
  // A command line would take an id with a leading hyphen for an option.
  while (id.startsWith("-")) id = createId(random);
  const secret = createSecret(random);
  const row = {
    id,
    name: toStorable(name),
    secret: await hashSha256Hex(secret),
    demo: 0,
    created: now(),
    revoked: null,
    turn: 0,
  };
  await database.durable((queries) => queries.insertInto("chat_apps").values(row).execute());
  return { app: toApp(row), appId: id, secret };
}

export interface ListedApp extends ChatApp {
  /** Unix seconds, or null for a valid app. */
  readonly revoked: number | null;
  readonly project: string | null;
}

/** Lists all apps except the demo's, without secrets, for the command line. */
export async function listApps({
  database,
}: Pick<Minimal, "database">): Promise<readonly ListedApp[]> {
  const query = database.kysely.selectFrom("chat_apps").selectAll().where("demo", "=", 0);
  const rows = await query.orderBy("created").orderBy("id").execute();
  return rows.map((row) => ({
    ...toApp(row),
    revoked: row.revoked === null ? null : Math.floor(row.revoked / 1000),
    project: row.project,
  }));
}

/**
 * Sets the project whose tickets the app's agents may see if they have the right; null for none.
 * Returns false for a project that has neither a key nor a ticket.
 */
export async function tieApp(
  { database }: Pick<Minimal, "database">,
  id: string,
  project: string | null,
): Promise<boolean> {
  const { kysely } = database;
  await kysely.updateTable("chat_apps").set({ project }).where("id", "=", id).execute();
  if (project === null) return true;
  const found = await Promise.all(
    (["api_keys", "tickets"] as const).map((table) =>
      kysely.selectFrom(table).select("project").where("project", "=", project).executeTakeFirst(),
    ),
  );
  return found.some((row) => row !== undefined);
}

/**
 * Revokes an app: its id, its secret and the tokens of its people stop working, and its webhooks
 * get no more events. Chats, messages and files stay. False when there is no such app, or it is
 * already revoked.
 */
export async function revokeApp(
  { database, now }: Pick<Minimal, "database" | "now">,
  id: string,
): Promise<boolean> {
  return database.durable(async (queries) => {
    const update = queries.updateTable("chat_apps").set({ revoked: now() });
    const done = await update
      .where("id", "=", id)
      .where("revoked", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (done === undefined) return false;
    await queries.deleteFrom("chat_tokens").where("app", "=", id).execute();
    const offline = queries.updateTable("chat_agents").set(toPresence(false, "app"));
    await offline.where("app", "=", id).execute();
    await queries
      .deleteFrom("chat_webhook_events")
      .where("webhook", "in", (builder) =>
        builder.selectFrom("chat_webhooks").select("number").where("app", "=", id),
      )
      .execute();
    await queries.deleteFrom("chat_webhooks").where("app", "=", id).execute();
    return true;
  });
}

/** Reads the calling app by its id. Throws 404 for the id of any other. */
export async function readApp(queries: Queries, app: string, id: string): Promise<ChatApp> {
  if (id !== app) throw refuseUnknown("app", id);
  const query = queries.selectFrom("chat_apps").selectAll().where("id", "=", app);
  return toApp(await query.executeTakeFirstOrThrow());
}

function toApp({
  id,
  name,
  created,
}: Pick<Selectable<ChatAppTable>, "id" | "name" | "created">): ChatApp {
  return { id, name, created: Math.floor(created / 1000) };
}
