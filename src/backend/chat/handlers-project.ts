import { isObject } from "../../json/values.ts";
import { page, surveyAbout } from "../../api/chat/schema.ts";
import {
  cannedAnswersChange,
  newSurvey,
  newWebhook,
  resending,
  settingsChange,
} from "../../api/chat/schema-project.ts";
import { parseBy, parseQuery } from "../auth/handling.ts";
import { parseFields } from "./request.ts";
import type { ChatRequest, ChatHandler } from "./request.ts";
import { openEventStream } from "./events/event-stream.ts";
import { createId } from "./ids.ts";
import { readEstimates, readPositions } from "./agents/queue.ts";
import { listRooms } from "./agents/rooms.ts";
import {
  changeCannedAnswers,
  changeSettings,
  readCannedAnswers,
  readSettings,
} from "./settings.ts";
import { requireCannedAnswersRight, requireNoUser } from "./rights.ts";
import { readPage } from "../http/paging.ts";
import { readVisibleChat } from "./chats/visible.ts";
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  toWebhook,
  listUndelivered,
  resendUndelivered,
} from "./webhooks.ts";
import type { ChatSurvey } from "../../api/chat/answers.ts";
import { toStorable } from "../../storage/storable.ts";
import { refuseUnknown } from "./errors.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { ChatOptions } from "./options.ts";

/** Settings, queues, surveys and webhooks. */
export const PROJECT_HANDLERS = {
  async settings(request) {
    const settings = await readSettings(request.queries, request.app);
    const { queue, languages, allowedMediaTypes } = settings;
    return { settings: request.caller.secret ? settings : { queue, languages, allowedMediaTypes } };
  },
  async changeSettings(request) {
    const change = parseBy(settingsChange, readSentSettings(request));
    const { options, app } = request;
    const settings = await options.database.durable((queries) =>
      changeSettings(queries, app, change),
    );
    return { settings };
  },

  async queueStatus(request) {
    const rooms = (await listRooms(request.queries, request.app)).map(({ id }) => id);
    const positions = Map.groupBy(
      await readPositions(request.queries, request.app),
      ({ room }) => room,
    );
    const waits = await readEstimates(request.queries, request.app, rooms, request.options.now());
    const status = rooms.map((room) => {
      const waiting = positions.get(room)?.length ?? 0;
      return [room, { waiting, estimatedWait: waits(room, waiting + 1) }] as const;
    });
    return { queues: Object.fromEntries(status) };
  },
  async queuePosition(request) {
    const chat = await readVisibleChat(request, request.id);
    const positions = await readPositions(request.queries, request.app);
    const found = positions.find(({ id }) => id === chat.id);
    const { position = 0, overtaken = 0 } = found ?? {};
    const rooms = position === 0 ? [] : [chat.room];
    const waits = await readEstimates(request.queries, request.app, rooms, request.options.now());
    const estimatedWait = position === 0 ? null : waits(chat.room, position);
    return { queue: { chatId: chat.id, queuePosition: position, estimatedWait, overtaken } };
  },

  async cannedAnswers(request) {
    requireNoUser(request);
    return { cannedAnswers: await readCannedAnswers(request.queries, request.app) };
  },
  async changeCannedAnswers(request) {
    await requireCannedAnswersRight(request);
    const { cannedAnswers: all } = parseFields(cannedAnswersChange, request);
    return { cannedAnswers: await changeCannedAnswers(request.queries, request.app, all) };
  },

  surveys: async (request) => ({
    surveys: await listSurveys(request.queries, request.app),
  }),
  survey: async (request) => ({
    survey: await readSurvey(
      request.queries,
      request.app,
      request.id,
      parseQuery(surveyAbout, request),
    ),
  }),
  createSurvey: async (request) => ({
    survey: await createSurvey(request.options, request.app, parseFields(newSurvey, request)),
  }),

  webhooks: async (request) => ({
    webhooks: await listWebhooks(request.queries, request.app),
  }),
  webhook: async (request) => ({
    webhook: toWebhook(await readWebhook(request.queries, request.app, request.id)),
  }),
  createWebhook: (request) =>
    createWebhook(request.options, request.app, parseFields(newWebhook, request)),
  changeWebhook: (request) =>
    changeWebhook(request.options, request.app, request.id, parseFields(newWebhook, request)),
  async removeWebhook(request) {
    const { number } = await readWebhook(request.queries, request.app, request.id);
    await request.queries.deleteFrom("chat_webhooks").where("number", "=", number).execute();
    return { success: true };
  },
  async undelivered(request) {
    const { app, id } = request;
    const { data, hasMore } = await readPage(parseQuery(page, request), (limit, offset) =>
      listUndelivered(request.queries, app, id, { limit, offset }),
    );
    return { undelivered: data, hasMore };
  },
  async resendUndelivered(request) {
    const { ids = null } = parseFields(resending, request);
    return { resent: await resendUndelivered(request.options, request.app, request.id, ids) };
  },
  events: openEventStream,
  newId: async ({ options }) => ({ id: createId(options.random) }),
} satisfies Readonly<Record<string, ChatHandler>>;

/**
 * Reads settings. A bare list has the media types (seed.md, 2018.11.21), and `settings` may wrap
 * it.
 */
function readSentSettings({ sent }: ChatRequest): unknown {
  if (sent.list !== null) return { allowedMediaTypes: sent.list };
  const { settings } = sent.fields;
  if (Array.isArray(settings)) return { allowedMediaTypes: settings };
  return isObject(settings) ? settings : sent.fields;
}

async function listSurveys(queries: Queries, app: string): Promise<readonly ChatSurvey[]> {
  return queries
    .selectFrom("chat_surveys")
    .select(["id", "name", "url"])
    .where("app", "=", app)
    .orderBy("number")
    .execute();
}

async function createSurvey(
  { database, now, random }: ChatOptions,
  app: string,
  { name, url }: Omit<ChatSurvey, "id">,
): Promise<ChatSurvey> {
  const survey = { id: createId(random), name: toStorable(name), url: toStorable(url) };
  await database.kysely
    .insertInto("chat_surveys")
    .values({ ...survey, app, created: now() })
    .execute();
  return survey;
}

/** Reads a survey, and adds its subject to the address as a query. Throws 404. */
async function readSurvey(
  queries: Queries,
  app: string,
  id: string,
  about: Readonly<Record<string, string | undefined>>,
): Promise<ChatSurvey> {
  const survey = (await listSurveys(queries, app)).find((one) => one.id === id);
  if (survey === undefined) throw refuseUnknown("survey", id);
  const url = new URL(survey.url);
  for (const [name, value] of Object.entries(about)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return { ...survey, url: url.href };
}
