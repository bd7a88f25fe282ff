import { Hono } from "hono";
import type { TicketingOptions } from "./context.ts";
import { answersFor } from "./identity.ts";
import { createTicketRoutes } from "./ticket-routes.ts";
import { createUserRoutes } from "./user-routes.ts";
import {
  newMedia,
  newQueue,
  workTimetable,
  survey,
  surveyStart,
  surveySubmission,
  newWebhook,
  paging,
} from "../../api/ticketing/schema.ts";
import { chatbotSurveySubmission } from "../../api/chatbot/operations.ts";
import { downloadOf } from "../http/files.ts";
import { bodyBy, createHandler, parseQuery } from "../auth/handling.ts";
import { readMediaFile, readMedia, storeMedia } from "./media.ts";
import { createQueue, listQueues, readTimetable, writeTimetable } from "./queues.ts";
import { createSurvey, describeSurvey, startSurvey, submitSurvey } from "./surveys.ts";
import { readPage } from "../http/paging.ts";
import { changeWebhook, createWebhook, listWebhooks, removeWebhook } from "./webhooks.ts";

const parts = [
  createUserRoutes,
  createTicketRoutes,
  createMediaRoutes,
  createSettingsRoutes,
  surveyRoutes,
  createWebhookRoutes,
];

/** Case management (seed.md 5; ticketing.md), relative to `/v1` of the product. */
export function createTicketingRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });
  for (const part of parts) routes.route("/", part(options));
  return routes;
}

/** POST /media, and GET of a file's metadata and of the file itself. */
function createMediaRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.post(
    "/media",
    createHandler(options, "ticketing.upload", async (request) =>
      Response.json(
        await storeMedia(
          answersFor(options, request),
          request.project,
          await bodyBy(newMedia, request, options),
        ),
      ),
    ),
  );

  routes.get(
    "/media/:id",
    createHandler(options, "ticketing.media", async ({ c, project }) =>
      Response.json(await readMedia(options, project, c.req.param("id") ?? "")),
    ),
  );

  routes.get(
    "/media/:id/content",
    createHandler(options, "ticketing.download", async ({ c, project }) => {
      const { media, data } = await readMediaFile(options, project, c.req.param("id") ?? "");
      return downloadOf(media, data);
    }),
  );

  return routes;
}

/** Queues and the hours in which people work on them. */
function createSettingsRoutes(options: TicketingOptions): Hono {
  const { database, now } = options;
  const routes = new Hono({ strict: false });

  routes.get(
    "/queues",
    createHandler(options, "ticketing.queues", async ({ project }) =>
      Response.json({ data: await listQueues(database.kysely, project), hasMore: false }),
    ),
  );
  routes.post(
    "/queues",
    createHandler(options, "ticketing.createQueue", async (request) => {
      const { name } = await bodyBy(newQueue, request, options);
      return Response.json({ uuid: await createQueue(database, request.project, name, now()) });
    }),
  );
  routes.get(
    "/settings/work-timetable",
    createHandler(options, "ticketing.workTimetable", async ({ project }) =>
      Response.json(await readTimetable(database, project)),
    ),
  );
  routes.put(
    "/settings/work-timetable",
    createHandler(options, "ticketing.setWorkTimetable", async (request) => {
      const timetable = await bodyBy(workTimetable, request, options);
      await writeTimetable(database, request.project, timetable);
      return Response.json(timetable);
    }),
  );
  return routes;
}

/** POST /surveys, and the routes that start and submit one. */
function surveyRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.post(
    "/surveys",
    createHandler(options, "ticketing.createSurvey", async (request) =>
      Response.json({
        uuid: await createSurvey(options, request.project, await bodyBy(survey, request, options)),
      }),
    ),
  );
  routes.post(
    "/surveys/:id/start",
    createHandler(options, "ticketing.startSurvey", async (request) => {
      const { sourceId } = await bodyBy(surveyStart, request, options);
      const id = request.c.req.param("id") ?? "";
      return Response.json({ response: await startSurvey(options, request.project, id, sourceId) });
    }),
  );
  routes.post(
    "/surveys/:id/submit",
    createHandler(options, "ticketing.submitSurvey", async (request) => {
      const { token, field_answers: answers } = await bodyBy(surveySubmission, request, options);
      await submitSurvey(options, request.project, request.c.req.param("id") ?? "", token, answers);
      return Response.json({ success: true });
    }),
  );
  return routes;
}

/** The same surveys for chatbot clients, who read and answer them about a conversation. */
export function createChatbotSurveyRoutes(options: TicketingOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.get(
    "/surveys/:id",
    createHandler(options, "chatbot.survey", async ({ project, c }) =>
      Response.json(await describeSurvey(options, project, c.req.param("id") ?? "")),
    ),
  );
  routes.get(
    "/surveys/:id/start",
    createHandler(options, "chatbot.startSurvey", async ({ project, c }) =>
      Response.json(await startSurvey(options, project, c.req.param("id") ?? "", null)),
    ),
  );
  routes.post(
    "/surveys/:id/submit",
    createHandler(options, "chatbot.submitSurvey", async (request) => {
      const { token, fieldAnswers } = await bodyBy(chatbotSurveySubmission, request, options);
      const id = request.c.req.param("id") ?? "";
      await submitSurvey(options, request.project, id, token, fieldAnswers);
      return Response.json({ success: true });
    }),
  );
  return routes;
}

/** The addresses that receive events. */
function createWebhookRoutes(options: TicketingOptions): Hono {
  const { database } = options;
  const routes = new Hono({ strict: false });

  routes.post(
    "/webhooks",
    createHandler(options, "ticketing.createWebhook", async (request) => {
      const webhook = await bodyBy(newWebhook, request, options);
      return Response.json(await createWebhook(options, request.project, webhook));
    }),
  );
  routes.get(
    "/webhooks",
    createHandler(options, "ticketing.webhooks", async (request) => {
      const page = await readPage(parseQuery(paging, request), (limit, offset) =>
        listWebhooks(database.kysely, request.project, limit, offset),
      );
      return Response.json(page);
    }),
  );
  routes.put(
    "/webhooks/:id",
    createHandler(options, "ticketing.changeWebhook", async (request) => {
      const webhook = await bodyBy(newWebhook, request, options);
      const id = request.c.req.param("id") ?? "";
      return Response.json(await changeWebhook(options, request.project, id, webhook));
    }),
  );
  routes.delete(
    "/webhooks/:id",
    createHandler(options, "ticketing.removeWebhook", async ({ c, project }) => {
      await removeWebhook(options, project, c.req.param("id") ?? "");
      return Response.json({ success: true });
    }),
  );
  return routes;
}
