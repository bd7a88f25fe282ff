import { z } from "zod";
import { COMMON_ERRORS, operationsOf, createRow } from "../call/operation.ts";
import type { Operation } from "../call/operation.ts";
import {
  created,
  media,
  pageOf,
  queue,
  reply,
  ticket,
  ticketEvent,
  user,
  webhook,
} from "./answers.ts";
import { newMedia, newReply, newTicket, newUser, newWebhook } from "./schema.ts";
import { survey, surveyStart, surveySubmission, ticketChange, userChange } from "./schema.ts";
import { addressQuery, newQueue, paging, ticketListing, userListing } from "./schema.ts";
import { workTimetable } from "./schema.ts";

const unknownId = { status: 404, when: "There is nothing with this id." };
const expired = { status: 410, when: "The media was not attached within one hour and is deleted." };
const closed = { status: 409, when: "The state of the ticket does not allow it." };

const success = z.object({ success: z.literal(true) });

/** Case management (seed.md 5; ticketing.md 2), below `apis.ticketing`. */
export const TICKETING_OPERATIONS: readonly Operation[] = operationsOf(
  "ticketing",
  { credentials: "token", errors: COMMON_ERRORS },
  {
    createUser: createRow("Registers a user. One user per e-mail address.", created, {
      domainKey: true,
      body: newUser,
      errors: [
        {
          status: 409,
          when: "The address has a user already; `uuid` in the body is theirs, unless a domain key asks.",
        },
      ],
    }),
    users: createRow(
      "Users, all or those whose fields have exactly the given values.",
      pageOf(user),
      {
        query: userListing,
      },
    ),
    publicUser: createRow(
      "Name, address and UUID of the user with this address.",
      pageOf(z.object({ name: z.string(), address: z.string(), hash_uuid: z.uuid() })),
      { query: addressQuery },
    ),
    user: createRow("One user.", user, { errors: [unknownId] }),
    changeUser: createRow("Changes a user. `extra` replaces the fields that it names.", user, {
      body: userChange,
      errors: [unknownId, { status: 409, when: "Another user has the address." }],
    }),
    createTicket: createRow(
      "Creates a ticket. With an Idempotency-Key header it is created once for that key.",
      z.intersection(ticket, created),
      {
        domainKey: true,
        body: newTicket,
        errors: [
          { status: 409, when: "The Idempotency-Key was used for another body." },
          { status: 422, when: "The creator, a queue or an attachment does not exist." },
          expired,
        ],
      },
    ),
    tickets: createRow(
      "Tickets, by exact filters or by `iql`, which stands alone but for paging and sorting.",
      pageOf(ticket),
      { query: ticketListing },
    ),
    ticket: createRow("One ticket.", ticket, { errors: [unknownId] }),
    changeTicket: createRow(
      "Changes a ticket's title, state, queue, solver, classification or external id.",
      ticket,
      { body: ticketChange, errors: [unknownId, closed] },
    ),
    createReply: createRow(
      "Adds a reply. One of the creator's opens a solved ticket again.",
      created,
      {
        body: newReply,
        errors: [unknownId, closed, expired],
      },
    ),
    replies: createRow("Replies of a ticket, oldest first.", pageOf(reply), {
      query: paging,
      errors: [unknownId],
    }),
    createSubticket: createRow(
      "Creates a ticket that is a part of another.",
      z.intersection(ticket, created),
      {
        body: newTicket,
        errors: [unknownId, { status: 302, when: "The body is not valid (so since 2023-11-14)." }],
      },
    ),
    history: createRow("What happened to a ticket, oldest first.", pageOf(ticketEvent), {
      query: paging,
      errors: [unknownId],
    }),
    upload: createRow(
      "Uploads a file of up to 7 MB as base64. It is deleted after one hour unless something attaches it.",
      created,
      {
        domainKey: true,
        body: newMedia,
        errors: [{ status: 413, when: "The file is larger than 7,340,032 bytes." }],
      },
    ),
    media: createRow("What is known of a file.", media, { errors: [unknownId, expired] }),
    download: createRow("The file itself.", null, { errors: [unknownId, expired] }),
    queues: createRow("Queues.", pageOf(queue)),
    createQueue: createRow("Adds a queue.", z.object({ uuid: z.int() }), { body: newQueue }),
    workTimetable: createRow("Hours and holidays per queue.", workTimetable),
    setWorkTimetable: createRow("Replaces hours and holidays.", workTimetable, {
      body: workTimetable,
    }),
    createSurvey: createRow("Adds a survey.", z.object({ uuid: z.int() }), { body: survey }),
    startSurvey: createRow(
      "Begins a survey about a ticket; the token hands it in.",
      z.object({
        response: z.object({
          id: z.int(),
          token: z.string(),
          pages: z.array(z.unknown()),
          settings: z.array(z.unknown()),
        }),
      }),
      { body: surveyStart, errors: [unknownId] },
    ),
    submitSurvey: createRow("Hands in a survey, once for each token.", success, {
      domainKey: true,
      body: surveySubmission,
      errors: [unknownId, { status: 409, when: "The survey has already been submitted." }],
    }),
    createWebhook: createRow(
      "Registers an address that is told about changes, after it has answered a challenge.",
      created,
      {
        body: newWebhook,
        errors: [
          { status: 422, when: "The address is not allowed, or did not answer the challenge." },
        ],
      },
    ),
    webhooks: createRow("Registered addresses.", pageOf(webhook), { query: paging }),
    changeWebhook: createRow("Replaces a registered address, after a challenge.", webhook, {
      body: newWebhook,
      errors: [unknownId],
    }),
    removeWebhook: createRow("Forgets a registered address.", success, { errors: [unknownId] }),
  },
);
