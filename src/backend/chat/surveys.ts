import type { ChatSurvey } from "../../api/chat/types.ts";
import { storable } from "../storage/storable.ts";
import { unknown } from "./errors.ts";
import { newId } from "./ids.ts";
import type { ChatOptions, Queries } from "./options.ts";

export async function listSurveys(queries: Queries, app: string): Promise<readonly ChatSurvey[]> {
  return queries
    .selectFrom("chat_surveys")
    .select(["id", "name", "url"])
    .where("app", "=", app)
    .orderBy("number")
    .execute();
}

export async function createSurvey(
  { database, now, random }: ChatOptions,
  app: string,
  { name, url }: Omit<ChatSurvey, "id">,
): Promise<ChatSurvey> {
  const survey = { id: newId(random), name: storable(name), url: storable(url) };
  await database.kysely
    .insertInto("chat_surveys")
    .values({ ...survey, app, created: now() })
    .execute();
  return survey;
}

/** One survey; its address says what it is about. Throws 404. */
export async function readSurvey(
  queries: Queries,
  app: string,
  id: string,
  about: Readonly<Record<string, string | undefined>>,
): Promise<ChatSurvey> {
  const survey = (await listSurveys(queries, app)).find((one) => one.id === id);
  if (survey === undefined) throw unknown("survey", id);
  const url = new URL(survey.url);
  for (const [name, value] of Object.entries(about)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return { ...survey, url: url.href };
}
