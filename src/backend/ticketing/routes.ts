import type { Hono } from "hono";
import { chatbotSurveySubmission } from "../../api/chatbot/operations.ts";
import { TICKETING_OPERATIONS } from "../../api/ticketing/operations.ts";
import {
  addressQuery,
  newMedia,
  newQueue,
  newReply,
  newTicket,
  newUser,
  newWebhook,
  paging,
  survey,
  surveyStart,
  surveySubmission,
  ticketChange,
  ticketListing,
  userChange,
  userListing,
  workTimetable,
} from "../../api/ticketing/schema.ts";
import {
  type ApiHandlers,
  type ApiRequest,
  parseBody,
  createApiRoutes,
  parseQuery,
} from "../auth/handling.ts";
import { serveStoredFile } from "../http/files.ts";
import { readPage } from "../http/paging.ts";
import { Refusal } from "../http/refusal.ts";
import { changeTicket } from "./change-ticket.ts";
import type { TicketingOptions } from "./context.ts";
import { createTicket, requireUuids, type TicketCreation } from "./create-ticket.ts";
import { answersFor, idOf } from "./identity.ts";
import { listTickets } from "./list-tickets.ts";
import { createFileReader, readMedia, storeMedia } from "./media.ts";
import { createQueue, listQueues, readTimetable, writeTimetable } from "./queues.ts";
import { createReply, listReplies } from "./replies.ts";
import { createSurvey, describeSurvey, startSurvey, submitSurvey } from "./surveys.ts";
import { readHistory, readTicket } from "./ticket-rows.ts";
import { changeUser, createUser, findPublicUsers, listUsers, readUser } from "./users.ts";
import { changeWebhook, createWebhook, listWebhooks, removeWebhook } from "./webhooks.ts";

/** Case management (seed.md 5; ticketing.md). */
export function createTicketingRoutes(options: TicketingOptions): Hono {
  return createApiRoutes<"ticketing">(options, TICKETING_OPERATIONS, {
    ...createUserHandlers(options),
    ...createTicketHandlers(options),
    ...createProjectHandlers(options),
    ...createSurveyHandlers(options),
  });
}

function createUserHandlers(options: TicketingOptions) {
  const { kysely } = options.database;
  return {
    createUser: async (request) =>
      createUser(answersFor(options, request), request, await parseBody(newUser, request)),
    users: (request) => listUsers(kysely, request.project, parseQuery(userListing, request)),
    publicUser: async (request) => {
      const { address } = parseQuery(addressQuery, request);
      return { data: await findPublicUsers(kysely, request.project, address), hasMore: false };
    },
    user: async ({ project, id }) => readUser(kysely, await idOf(kysely, "users", project, id)),
    changeUser: async (request) =>
      changeUser(options, request.project, request.id, await parseBody(userChange, request)),
  } satisfies Partial<ApiHandlers<"ticketing">>;
}

/** Tickets, their replies, parts, files and history. */
function createTicketHandlers(options: TicketingOptions) {
  const { database } = options;
  const readTicketId = ({ id, project }: ApiRequest): Promise<number> =>
    idOf(database.kysely, "tickets", project, id);
  return {
    createTicket: async (request) => {
      const creation = await creationOf(request, null);
      requireUuids(request, creation.ticket);
      return createTicket(answersFor(options, request), creation);
    },
    tickets: (request) =>
      listTickets(database, request.project, parseQuery(ticketListing, request)),
    ticket: async (request) => readTicket(database.kysely, await readTicketId(request)),
    changeTicket: async (request) =>
      changeTicket(options, request.project, request.id, await parseBody(ticketChange, request)),
    createReply: async (request) => {
      const reply = await parseBody(newReply, request);
      const { project, id: ticket } = request;
      return createReply(options, { project, ticket, reply, idempotencyKey: keyOf(request) });
    },
    replies: (request) =>
      readPage(parseQuery(paging, request), async (limit, offset) =>
        listReplies(database.kysely, await readTicketId(request), limit, offset),
      ),
    // 302 for invalid data since 2023-11-14 (ticketing.md 2), without a Location that clients follow.
    createSubticket: async (request) => {
      try {
        return await createTicket(options, await creationOf(request, request.id));
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 422) throw error;
        throw new Refusal(302, error.message, error.extra);
      }
    },
    history: (request) =>
      readPage(parseQuery(paging, request), async (limit, offset) =>
        readHistory(database.kysely, await readTicketId(request), limit, offset),
      ),
    upload: async (request) =>
      storeMedia(answersFor(options, request), request.project, await parseBody(newMedia, request)),
    media: ({ project, id }) => readMedia(options, project, id),
    download: async ({ project, id }) => {
      const media = await readMedia(options, project, id);
      return serveStoredFile(media, createFileReader(options, media));
    },
  } satisfies Partial<ApiHandlers<"ticketing">>;
}

/** Queues, the hours in which people work on them, and the addresses that receive events. */
function createProjectHandlers(options: TicketingOptions) {
  const { database, now } = options;
  return {
    queues: async ({ project }) => ({
      data: await listQueues(database.kysely, project),
      hasMore: false,
    }),
    createQueue: async (request) => {
      const { name } = await parseBody(newQueue, request);
      return { uuid: await createQueue(database, request.project, name, now()) };
    },
    workTimetable: ({ project }) => readTimetable(database, project),
    setWorkTimetable: async (request) => {
      const timetable = await parseBody(workTimetable, request);
      await writeTimetable(database, request.project, timetable);
      return timetable;
    },
    createWebhook: async (request) =>
      createWebhook(options, request.project, await parseBody(newWebhook, request)),
    webhooks: (request) =>
      readPage(parseQuery(paging, request), (limit, offset) =>
        listWebhooks(database.kysely, request.project, limit, offset),
      ),
    changeWebhook: async (request) =>
      changeWebhook(options, request.project, request.id, await parseBody(newWebhook, request)),
    removeWebhook: async ({ project, id }) => {
      await removeWebhook(options, project, id);
      return { success: true };
    },
  } satisfies Partial<ApiHandlers<"ticketing">>;
}

function createSurveyHandlers(options: TicketingOptions) {
  return {
    createSurvey: async (request) => ({
      uuid: await createSurvey(options, request.project, await parseBody(survey, request)),
    }),
    startSurvey: async (request) => {
      const { sourceId } = await parseBody(surveyStart, request);
      return { response: await startSurvey(options, request.project, request.id, sourceId) };
    },
    submitSurvey: async (request) => {
      const { token, field_answers: answers } = await parseBody(surveySubmission, request);
      await submitSurvey(options, request.project, request.id, token, answers);
      return { success: true };
    },
  } satisfies Partial<ApiHandlers<"ticketing">>;
}

/** The same surveys for chatbot clients, who read and answer them about a conversation. */
export function createChatbotSurveyHandlers(
  options: TicketingOptions,
): Pick<ApiHandlers<"chatbot">, "survey" | "startSurvey" | "submitSurvey"> {
  return {
    survey: ({ project, id }) => describeSurvey(options, project, id),
    startSurvey: ({ project, id }) => startSurvey(options, project, id, null),
    submitSurvey: async (request) => {
      const { token, fieldAnswers } = await parseBody(chatbotSurveySubmission, request);
      await submitSurvey(options, request.project, request.id, token, fieldAnswers);
      return { success: true };
    },
  };
}

async function creationOf(request: ApiRequest, parent: string | null): Promise<TicketCreation> {
  const ticket = await parseBody(newTicket, request);
  return { project: request.project, ticket, parent, idempotencyKey: keyOf(request) };
}

/** Reads the idempotency key. Keys of domain keys are separate from those of other callers. */
function keyOf({ c, domainKey }: ApiRequest): string | null {
  const key = c.req.header("idempotency-key")?.trim() ?? "";
  if (key === "") return null;
  return domainKey === null ? key : `${domainKey} ${key}`;
}
