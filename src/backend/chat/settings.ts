import { z } from "zod";
import { DEFAULT_MEDIA_TYPES } from "../../api/chat/states.ts";
import type { ChatCannedAnswer, ChatSettings } from "../../api/chat/answers.ts";
import type { Queries } from "../storage/tables/database.ts";

const stored: z.ZodType<ChatSettings> = z.object({
  queue: z.object({ active: z.boolean() }).default({ active: false }),
  languages: z.array(z.string()).default([]),
  allowedMediaTypes: z.array(z.string()).default([...DEFAULT_MEDIA_TYPES]),
  invitationTimeout: z.number().default(30),
  inactivity: z.number().default(900),
  domains: z.array(z.string()).default([]),
});

/** Reads the settings of an app, or the defaults if they were never changed. */
export async function readSettings(queries: Queries, app: string): Promise<ChatSettings> {
  const query = queries.selectFrom("chat_settings").select("value").where("app", "=", app);
  const row = await query.executeTakeFirst();
  return stored.parse(row === undefined ? {} : JSON.parse(row.value));
}

export type SettingsChange = {
  readonly [name in keyof ChatSettings]?: ChatSettings[name] | undefined;
};

/** Replaces the given settings, and keeps the others. */
export async function changeSettings(
  queries: Queries,
  app: string,
  change: SettingsChange,
): Promise<ChatSettings> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const next = stored.parse({
    ...(await readSettings(queries, app)),
    ...Object.fromEntries(given),
  });
  const value = JSON.stringify(next);
  await queries
    .insertInto("chat_settings")
    .values({ app, value })
    .onConflict((conflict) => conflict.column("app").doUpdateSet({ value }))
    .execute();
  return next;
}

const answers: z.ZodType<readonly ChatCannedAnswer[]> = z.array(
  z.object({ name: z.string(), texts: z.record(z.string(), z.string()) }),
);

export async function readCannedAnswers(
  queries: Queries,
  app: string,
): Promise<readonly ChatCannedAnswer[]> {
  const query = queries.selectFrom("chat_canned_answers").select("value").where("app", "=", app);
  const row = await query.executeTakeFirst();
  return row === undefined ? [] : answers.parse(JSON.parse(row.value));
}

/** Replaces all canned answers of an app. */
export async function changeCannedAnswers(
  queries: Queries,
  app: string,
  all: readonly ChatCannedAnswer[],
): Promise<readonly ChatCannedAnswer[]> {
  const value = JSON.stringify(all);
  await queries
    .insertInto("chat_canned_answers")
    .values({ app, value })
    .onConflict((conflict) => conflict.column("app").doUpdateSet({ value }))
    .execute();
  return readCannedAnswers(queries, app);
}
