import type { Selectable } from "kysely";
import type { ChatApp } from "../../wire/chat/types.ts";
import { storable } from "../storage/storable.ts";
import type { ChatAppTable } from "../storage/tables/chat.ts";
import { unknown } from "./errors.ts";
import { digestOf, newId, newSecret } from "./ids.ts";
import type { ChatOptions, Queries } from "./options.ts";

type Minimal = Pick<ChatOptions, "database" | "now" | "random">;

export interface RegisteredApp {
  readonly app: ChatApp;
  readonly appId: string;
  /** Shown once: only its digest is kept. */
  readonly secret: string;
}

/** Registers an app, which begins with nothing. For `POST /apps` and for the command line. */
export async function registerApp(
  { database, now, random }: Minimal,
  name: string,
): Promise<RegisteredApp> {
  const id = newId(random);
  const secret = newSecret(random);
  const row = {
    id,
    name: storable(name),
    secret: await digestOf(secret),
    demo: 0,
    created: now(),
    revoked: null,
    turn: 0,
  };
  await database.durable((queries) => queries.insertInto("chat_apps").values(row).execute());
  return { app: toApp(row), appId: id, secret };
}

/** Every app, for the command line. Secrets are not among it. */
export async function listApps({
  database,
}: Pick<Minimal, "database">): Promise<readonly (ChatApp & { readonly revoked: boolean })[]> {
  const query = database.kysely.selectFrom("chat_apps").selectAll().where("demo", "=", 0);
  const rows = await query.orderBy("created").orderBy("id").execute();
  return rows.map((row) => ({ ...toApp(row), revoked: row.revoked !== null }));
}

/** Makes an app's id and secret worthless. False when there is no such app, or it was revoked before. */
export async function revokeApp({ database, now }: Minimal, id: string): Promise<boolean> {
  const update = database.kysely.updateTable("chat_apps").set({ revoked: now() });
  const done = await update
    .where("id", "=", id)
    .where("revoked", "is", null)
    .returning("id")
    .executeTakeFirst();
  return done !== undefined;
}

/** The calling app by its id. Throws 404 for every other. */
export async function readApp(queries: Queries, app: string, id: string): Promise<ChatApp> {
  if (id !== app) throw unknown("app", id);
  const query = queries.selectFrom("chat_apps").selectAll().where("id", "=", app);
  return toApp(await query.executeTakeFirstOrThrow());
}

export function toApp({
  id,
  name,
  created,
}: Pick<Selectable<ChatAppTable>, "id" | "name" | "created">): ChatApp {
  return { id, name, created: Math.floor(created / 1000) };
}
