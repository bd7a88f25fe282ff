import { z } from "zod";
import { COMMON_ERRORS } from "../operation.ts";
import type { Operation } from "../operation.ts";
import { created, media, pageOf, reply, ticket, ticketEvent, user, webhook } from "./answers.ts";
import { newMedia, newReply, newTicket, newUser, newWebhook } from "./schema.ts";
import { survey, surveyStart, surveySubmission, ticketChange, userChange } from "./schema.ts";
import { addressQuery, newQueue, paging, ticketListing, userListing } from "./schema.ts";
import { workTimetable } from "./schema.ts";

const unknownId = { status: 404, when: "There is nothing with this id." };
const expired = { status: 410, when: "The media was not attached within one hour and is deleted." };
const closed = { status: 409, when: "The state of the ticket does not allow it." };

type Row = Pick<Operation, "id" | "method" | "path" | "summary" | "answer"> & {
  readonly domainKey: boolean;
} & Partial<Pick<Operation, "aliases" | "query" | "body" | "bodyOptional" | "errors">>;

function row({ errors = [], ...rest }: Row): Operation {
  return { credentials: "token", status: 200, ...rest, errors: [...COMMON_ERRORS, ...errors] };
}

const success = z.object({ success: z.literal(true) });
const queue = z.object({ id: z.int(), name: z.string() });

/** Case management (seed.md 5; ticketing.md 2), below `apis.ticketing`. */
export const TICKETING_OPERATIONS: readonly Operation[] = [
  row({
    id: "ticketing.createUser",
    domainKey: true,
    method: "POST",
    path: "/v1/users",
    summary: "Registers a user. One user per e-mail address.",
    body: newUser,
    answer: created,
    errors: [
      {
        status: 409,
        when: "The address has a user already; `uuid` in the body is theirs, unless a domain key asks.",
      },
    ],
  }),
  row({
    id: "ticketing.users",
    domainKey: false,
    method: "GET",
    path: "/v1/users",
    summary: "Users, all or those whose fields have exactly the given values.",
    query: userListing,
    answer: pageOf(user),
  }),
  row({
    id: "ticketing.publicUser",
    domainKey: false,
    method: "GET",
    path: "/v1/users/public",
    summary: "Name, address and UUID of the user with this address.",
    query: addressQuery,
    answer: pageOf(z.object({ name: z.string(), address: z.string(), hash_uuid: z.uuid() })),
  }),
  row({
    id: "ticketing.user",
    domainKey: false,
    method: "GET",
    path: "/v1/users/{id}",
    summary: "One user.",
    answer: user,
    errors: [unknownId],
  }),
  row({
    id: "ticketing.changeUser",
    domainKey: false,
    method: "PUT",
    path: "/v1/users/{id}",
    summary: "Changes a user. `extra` replaces the fields that it names.",
    body: userChange,
    answer: user,
    errors: [unknownId, { status: 409, when: "Another user has the address." }],
  }),
  row({
    id: "ticketing.createTicket",
    domainKey: true,
    method: "POST",
    path: "/v1/tickets",
    aliases: ["/v1/tickets/public"],
    summary: "Creates a ticket. With an Idempotency-Key header it is created once for that key.",
    body: newTicket,
    answer: z.intersection(ticket, created),
    errors: [
      { status: 409, when: "The Idempotency-Key was used for another body." },
      { status: 422, when: "The creator, a queue or an attachment does not exist." },
      expired,
    ],
  }),
  row({
    id: "ticketing.tickets",
    domainKey: false,
    method: "GET",
    path: "/v1/tickets",
    summary:
      "Tickets, by exact filters or by `iql`, which stands alone but for paging and sorting.",
    query: ticketListing,
    answer: pageOf(ticket),
  }),
  row({
    id: "ticketing.ticket",
    domainKey: false,
    method: "GET",
    path: "/v1/tickets/{id}",
    summary: "One ticket.",
    answer: ticket,
    errors: [unknownId],
  }),
  row({
    id: "ticketing.changeTicket",
    domainKey: false,
    method: "PUT",
    path: "/v1/tickets/{id}",
    summary: "Changes a ticket's title, state, queue, solver, classification or external id.",
    body: ticketChange,
    answer: ticket,
    errors: [unknownId, closed],
  }),
  row({
    id: "ticketing.createReply",
    domainKey: false,
    method: "POST",
    path: "/v1/tickets/{id}/replies",
    summary: "Adds a reply. One of the creator's opens a solved ticket again.",
    body: newReply,
    answer: created,
    errors: [unknownId, closed, expired],
  }),
  row({
    id: "ticketing.replies",
    domainKey: false,
    method: "GET",
    path: "/v1/tickets/{id}/replies",
    summary: "Replies of a ticket, oldest first.",
    query: paging,
    answer: pageOf(reply),
    errors: [unknownId],
  }),
  row({
    id: "ticketing.createSubticket",
    domainKey: false,
    method: "POST",
    path: "/v1/tickets/{id}/subtickets",
    summary: "Creates a ticket that is a part of another.",
    body: newTicket,
    answer: z.intersection(ticket, created),
    errors: [unknownId, { status: 302, when: "The body is not valid (so since 2023-11-14)." }],
  }),
  row({
    id: "ticketing.history",
    domainKey: false,
    method: "GET",
    path: "/v1/tickets/{id}/history",
    summary: "What happened to a ticket, oldest first.",
    query: paging,
    answer: pageOf(ticketEvent),
    errors: [unknownId],
  }),
  row({
    id: "ticketing.upload",
    domainKey: true,
    method: "POST",
    path: "/v1/media",
    summary:
      "Uploads a file of up to 7 MB as base64. It is deleted after one hour unless something attaches it.",
    body: newMedia,
    answer: created,
    errors: [{ status: 413, when: "The file is larger than 7,340,032 bytes." }],
  }),
  row({
    id: "ticketing.media",
    domainKey: false,
    method: "GET",
    path: "/v1/media/{id}",
    summary: "What is known of a file.",
    answer: media,
    errors: [unknownId, expired],
  }),
  row({
    id: "ticketing.download",
    domainKey: false,
    method: "GET",
    path: "/v1/media/{id}/content",
    summary: "The file itself.",
    answer: null,
    errors: [unknownId, expired],
  }),
  row({
    id: "ticketing.queues",
    domainKey: false,
    method: "GET",
    path: "/v1/queues",
    summary: "Queues.",
    answer: pageOf(queue),
  }),
  row({
    id: "ticketing.createQueue",
    domainKey: false,
    method: "POST",
    path: "/v1/queues",
    summary: "Adds a queue.",
    body: newQueue,
    answer: z.object({ uuid: z.int() }),
  }),
  row({
    id: "ticketing.workTimetable",
    domainKey: false,
    method: "GET",
    path: "/v1/settings/work-timetable",
    summary: "Hours and holidays per queue.",
    answer: workTimetable,
  }),
  row({
    id: "ticketing.setWorkTimetable",
    domainKey: false,
    method: "PUT",
    path: "/v1/settings/work-timetable",
    summary: "Replaces hours and holidays.",
    body: workTimetable,
    answer: workTimetable,
  }),
  row({
    id: "ticketing.createSurvey",
    domainKey: false,
    method: "POST",
    path: "/v1/surveys",
    summary: "Adds a survey.",
    body: survey,
    answer: z.object({ uuid: z.int() }),
  }),
  row({
    id: "ticketing.startSurvey",
    domainKey: false,
    method: "POST",
    path: "/v1/surveys/{id}/start",
    summary: "Begins a survey about a ticket; the token hands it in.",
    body: surveyStart,
    answer: z.object({
      response: z.object({
        id: z.int(),
        token: z.string(),
        pages: z.array(z.unknown()),
        settings: z.array(z.unknown()),
      }),
    }),
    errors: [unknownId],
  }),
  row({
    id: "ticketing.submitSurvey",
    domainKey: true,
    method: "POST",
    path: "/v1/surveys/{id}/submit",
    summary: "Hands in a survey, once for each token.",
    body: surveySubmission,
    answer: success,
    errors: [unknownId, { status: 409, when: "The survey was handed in already." }],
  }),
  row({
    id: "ticketing.createWebhook",
    domainKey: false,
    method: "POST",
    path: "/v1/webhooks",
    summary: "Registers an address that is told about changes, after it has answered a challenge.",
    body: newWebhook,
    answer: created,
    errors: [{ status: 422, when: "The address is not allowed, or did not answer the challenge." }],
  }),
  row({
    id: "ticketing.webhooks",
    domainKey: false,
    method: "GET",
    path: "/v1/webhooks",
    summary: "Registered addresses.",
    query: paging,
    answer: pageOf(webhook),
  }),
  row({
    id: "ticketing.changeWebhook",
    domainKey: false,
    method: "PUT",
    path: "/v1/webhooks/{id}",
    summary: "Replaces a registered address, after a challenge.",
    body: newWebhook,
    answer: webhook,
    errors: [unknownId],
  }),
  row({
    id: "ticketing.removeWebhook",
    domainKey: false,
    method: "DELETE",
    path: "/v1/webhooks/{id}",
    summary: "Forgets a registered address.",
    answer: success,
    errors: [unknownId],
  }),
];
