import { survey } from "../../api/ticketing/schema.ts";
import type { StartedSurvey, SurveyDefinition } from "../../api/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { idOf } from "./identity.ts";
import { refuseNotFound, Refusal } from "../http/refusal.ts";
import { hashSha256Hex, toHex } from "../../json/bytes.ts";
import { toStorable } from "../../storage/storable.ts";

export async function createSurvey(
  { database }: TicketingOptions,
  project: string,
  definition: SurveyDefinition,
): Promise<number> {
  const row = { project, document: JSON.stringify(definition) };
  return database.durable(async (queries) => {
    const insert = queries.insertInto("surveys").values(row).returning("id");
    return (await insert.executeTakeFirstOrThrow()).id;
  });
}

/** Describes a survey to chatbot clients. Throws 404. */
export async function describeSurvey(
  { database }: TicketingOptions,
  project: string,
  surveyId: string,
): Promise<{ readonly id: number; readonly name: string; readonly url: string }> {
  const { id, definition } = await readSurvey(database, project, surveyId);
  const url = definition.settings.find(({ subtype }) => subtype === "url")?.value;
  return { id, name: definition.name, url: typeof url === "string" ? url : "" };
}

/** Starts a survey about a ticket, or about a conversation (null). Stores only a hash of the token. Throws 404. */
export async function startSurvey(
  { database, now, random }: TicketingOptions,
  project: string,
  surveyId: string,
  ticket: string | null,
): Promise<StartedSurvey> {
  const { id, definition } = await readSurvey(database, project, surveyId);
  const ticketId = ticket === null ? null : await idOf(database.kysely, "tickets", project, ticket);
  const token = toHex(random(24));
  const row = { token: await hashSha256Hex(token), project, survey: id, ticket: ticketId };
  await database.durable((queries) =>
    queries
      .insertInto("survey_answers")
      .values({ ...row, answers: null, created: now() })
      .execute(),
  );
  return { id, token, pages: definition.pages, settings: definition.settings };
}

/** Submits a survey. Throws 404 for an unknown token, 409 for a second submission, 422 for an unknown question. */
export async function submitSurvey(
  { database }: TicketingOptions,
  project: string,
  surveyId: string,
  token: string,
  answers: Readonly<Record<string, string>>,
): Promise<void> {
  const { id, definition } = await readSurvey(database, project, surveyId);
  const questions = new Set(
    definition.pages
      .flatMap(({ items }) => items)
      .filter(({ subtype }) => subtype !== "header")
      .map((item) => String(item.id)),
  );
  const unknown = Object.keys(answers).find((key) => !questions.has(key));
  if (unknown !== undefined) {
    throw new Refusal(422, `field_answers: this survey has no question ${unknown.slice(0, 40)}`);
  }
  const key = await hashSha256Hex(token);
  // PostgreSQL could not read an answer with the character NUL from the JSON again.
  const storable = Object.entries(answers).map(([id, text]) => [id, toStorable(text)] as const);
  await database.durable(async (queries) => {
    const started = queries
      .selectFrom("survey_answers")
      .select("answers")
      .where("token", "=", key)
      .where("project", "=", project)
      .where("survey", "=", id);
    if ((await started.executeTakeFirst()) === undefined)
      throw refuseNotFound("survey with this token");
    const updated = await queries
      .updateTable("survey_answers")
      .set({ answers: JSON.stringify(Object.fromEntries(storable)) })
      .where("token", "=", key)
      .where("answers", "is", null)
      .returning("token")
      .executeTakeFirst();
    if (updated === undefined)
      throw new Refusal(409, "token: this survey has already been submitted");
  });
}

async function readSurvey(
  { kysely }: TicketingOptions["database"],
  project: string,
  identifier: string,
): Promise<{ readonly id: number; readonly definition: SurveyDefinition }> {
  const id = /^\d{1,15}$/.test(identifier) ? Number(identifier) : -1;
  const query = kysely.selectFrom("surveys").select("document");
  const row = await query.where("id", "=", id).where("project", "=", project).executeTakeFirst();
  if (row === undefined) throw refuseNotFound("survey with this id");
  return { id, definition: survey.parse(JSON.parse(row.document)) };
}
