import { isObject } from "../../json/values.ts";
import { page, surveyAbout } from "../../api/chat/schema.ts";
import {
  cannedAnswersChange,
  newSurvey,
  newWebhook,
  resending,
  settingsChange,
} from "../../api/chat/schema-project.ts";
import { parseBy, queryBy } from "../auth/handling.ts";
import { fieldsBy, kysely } from "./request.ts";
import type { ChatRequest, ChatHandler } from "./request.ts";
import { eventStream } from "./events/event-stream.ts";
import { newId } from "./ids.ts";
import { estimates, readPlaces } from "./agents/queue.ts";
import { listRooms } from "./agents/rooms.ts";
import {
  changeCannedAnswers,
  changeSettings,
  readCannedAnswers,
  readSettings,
} from "./settings.ts";
import { requireCannedAnswersRight, requireNoUser } from "./rights.ts";
import { readPage } from "../http/paging.ts";
import { visibleChat } from "./chats/visible.ts";
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
import { storable } from "../../storage/storable.ts";
import { unknown } from "./errors.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { ChatOptions } from "./options.ts";

/** Settings, queues, surveys and webhooks. */
export const PROJECT_HANDLERS: Readonly<Record<`chat.${string}`, ChatHandler>> = {
  async "chat.settings"(asked) {
    const settings = await readSettings(kysely(asked), asked.app);
    const { queue, languages, allowedMediaTypes } = settings;
    return { settings: asked.caller.secret ? settings : { queue, languages, allowedMediaTypes } };
  },
  async "chat.changeSettings"(asked) {
    const change = parseBy(settingsChange, settingsSent(asked));
    const { options, app } = asked;
    const settings = await options.database.durable((queries) =>
      changeSettings(queries, app, change),
    );
    return { settings };
  },

  async "chat.queueStatus"(asked) {
    const rooms = (await listRooms(kysely(asked), asked.app)).map(({ id }) => id);
    const places = Map.groupBy(await readPlaces(kysely(asked), asked.app), ({ room }) => room);
    const waits = await estimates(kysely(asked), asked.app, rooms, asked.options.now());
    const status = rooms.map((room) => {
      const waiting = places.get(room)?.length ?? 0;
      return [room, { waiting, estimatedWait: waits(room, waiting + 1) }] as const;
    });
    return { queues: Object.fromEntries(status) };
  },
  async "chat.queuePlace"(asked) {
    const chat = await visibleChat(kysely(asked), asked, asked.id);
    const places = await readPlaces(kysely(asked), asked.app);
    const place = places.find(({ id }) => id === chat.id);
    const { position = 0, overtaken = 0 } = place ?? {};
    const rooms = position === 0 ? [] : [chat.room];
    const waits = await estimates(kysely(asked), asked.app, rooms, asked.options.now());
    const estimatedWait = position === 0 ? null : waits(chat.room, position);
    return { queue: { chatId: chat.id, queuePosition: position, estimatedWait, overtaken } };
  },

  async "chat.cannedAnswers"(asked) {
    requireNoUser(asked);
    return { cannedAnswers: await readCannedAnswers(kysely(asked), asked.app) };
  },
  async "chat.changeCannedAnswers"(asked) {
    await requireCannedAnswersRight(asked);
    const { cannedAnswers: all } = fieldsBy(cannedAnswersChange, asked);
    return { cannedAnswers: await changeCannedAnswers(kysely(asked), asked.app, all) };
  },

  "chat.surveys": async (asked) => ({ surveys: await listSurveys(kysely(asked), asked.app) }),
  "chat.survey": async (asked) => ({
    survey: await readSurvey(kysely(asked), asked.app, asked.id, queryBy(surveyAbout, asked)),
  }),
  "chat.createSurvey": async (asked) => ({
    survey: await createSurvey(asked.options, asked.app, fieldsBy(newSurvey, asked)),
  }),

  "chat.webhooks": async (asked) => ({ webhooks: await listWebhooks(kysely(asked), asked.app) }),
  "chat.webhook": async (asked) => ({
    webhook: toWebhook(await readWebhook(kysely(asked), asked.app, asked.id)),
  }),
  "chat.createWebhook": (asked) =>
    createWebhook(asked.options, asked.app, fieldsBy(newWebhook, asked)),
  "chat.changeWebhook": (asked) =>
    changeWebhook(asked.options, asked.app, asked.id, fieldsBy(newWebhook, asked)),
  async "chat.removeWebhook"(asked) {
    const { number } = await readWebhook(kysely(asked), asked.app, asked.id);
    await kysely(asked).deleteFrom("chat_webhooks").where("number", "=", number).execute();
    return { success: true };
  },
  async "chat.undelivered"(asked) {
    const { app, id } = asked;
    const { data, hasMore } = await readPage(queryBy(page, asked), (limit, offset) =>
      listUndelivered(kysely(asked), app, id, { limit, offset }),
    );
    return { undelivered: data, hasMore };
  },
  async "chat.resendUndelivered"(asked) {
    const { ids = null } = fieldsBy(resending, asked);
    return { resent: await resendUndelivered(asked.options, asked.app, asked.id, ids) };
  },
  "chat.events": eventStream,
  "chat.newId": async ({ options }) => ({ id: newId(options.random) }),
};

/** A bare list is that of the media types (seed.md, 2018.11.21); `settings` may wrap it. */
function settingsSent({ sent }: ChatRequest): unknown {
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
  const survey = { id: newId(random), name: storable(name), url: storable(url) };
  await database.kysely
    .insertInto("chat_surveys")
    .values({ ...survey, app, created: now() })
    .execute();
  return survey;
}

/** One survey; its address says what it is about. Throws 404. */
async function readSurvey(
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
