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
import { parseFields, kyselyOf } from "./request.ts";
import type { ChatRequest, ChatHandler } from "./request.ts";
import { openEventStream } from "./events/event-stream.ts";
import { createId } from "./ids.ts";
import { readEstimates, readPlaces } from "./agents/queue.ts";
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
export const PROJECT_HANDLERS: Readonly<Record<`chat.${string}`, ChatHandler>> = {
  async "chat.settings"(asked) {
    const settings = await readSettings(kyselyOf(asked), asked.app);
    const { queue, languages, allowedMediaTypes } = settings;
    return { settings: asked.caller.secret ? settings : { queue, languages, allowedMediaTypes } };
  },
  async "chat.changeSettings"(asked) {
    const change = parseBy(settingsChange, readSentSettings(asked));
    const { options, app } = asked;
    const settings = await options.database.durable((queries) =>
      changeSettings(queries, app, change),
    );
    return { settings };
  },

  async "chat.queueStatus"(asked) {
    const rooms = (await listRooms(kyselyOf(asked), asked.app)).map(({ id }) => id);
    const places = Map.groupBy(await readPlaces(kyselyOf(asked), asked.app), ({ room }) => room);
    const waits = await readEstimates(kyselyOf(asked), asked.app, rooms, asked.options.now());
    const status = rooms.map((room) => {
      const waiting = places.get(room)?.length ?? 0;
      return [room, { waiting, estimatedWait: waits(room, waiting + 1) }] as const;
    });
    return { queues: Object.fromEntries(status) };
  },
  async "chat.queuePlace"(asked) {
    const chat = await readVisibleChat(kyselyOf(asked), asked, asked.id);
    const places = await readPlaces(kyselyOf(asked), asked.app);
    const place = places.find(({ id }) => id === chat.id);
    const { position = 0, overtaken = 0 } = place ?? {};
    const rooms = position === 0 ? [] : [chat.room];
    const waits = await readEstimates(kyselyOf(asked), asked.app, rooms, asked.options.now());
    const estimatedWait = position === 0 ? null : waits(chat.room, position);
    return { queue: { chatId: chat.id, queuePosition: position, estimatedWait, overtaken } };
  },

  async "chat.cannedAnswers"(asked) {
    requireNoUser(asked);
    return { cannedAnswers: await readCannedAnswers(kyselyOf(asked), asked.app) };
  },
  async "chat.changeCannedAnswers"(asked) {
    await requireCannedAnswersRight(asked);
    const { cannedAnswers: all } = parseFields(cannedAnswersChange, asked);
    return { cannedAnswers: await changeCannedAnswers(kyselyOf(asked), asked.app, all) };
  },

  "chat.surveys": async (asked) => ({ surveys: await listSurveys(kyselyOf(asked), asked.app) }),
  "chat.survey": async (asked) => ({
    survey: await readSurvey(kyselyOf(asked), asked.app, asked.id, parseQuery(surveyAbout, asked)),
  }),
  "chat.createSurvey": async (asked) => ({
    survey: await createSurvey(asked.options, asked.app, parseFields(newSurvey, asked)),
  }),

  "chat.webhooks": async (asked) => ({ webhooks: await listWebhooks(kyselyOf(asked), asked.app) }),
  "chat.webhook": async (asked) => ({
    webhook: toWebhook(await readWebhook(kyselyOf(asked), asked.app, asked.id)),
  }),
  "chat.createWebhook": (asked) =>
    createWebhook(asked.options, asked.app, parseFields(newWebhook, asked)),
  "chat.changeWebhook": (asked) =>
    changeWebhook(asked.options, asked.app, asked.id, parseFields(newWebhook, asked)),
  async "chat.removeWebhook"(asked) {
    const { number } = await readWebhook(kyselyOf(asked), asked.app, asked.id);
    await kyselyOf(asked).deleteFrom("chat_webhooks").where("number", "=", number).execute();
    return { success: true };
  },
  async "chat.undelivered"(asked) {
    const { app, id } = asked;
    const { data, hasMore } = await readPage(parseQuery(page, asked), (limit, offset) =>
      listUndelivered(kyselyOf(asked), app, id, { limit, offset }),
    );
    return { undelivered: data, hasMore };
  },
  async "chat.resendUndelivered"(asked) {
    const { ids = null } = parseFields(resending, asked);
    return { resent: await resendUndelivered(asked.options, asked.app, asked.id, ids) };
  },
  "chat.events": openEventStream,
  "chat.newId": async ({ options }) => ({ id: createId(options.random) }),
};

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
