import { z } from "zod";
import { COMMON_ERRORS, operationsOf, createRow, keyUsed, wrongField } from "../call/operation.ts";
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
const expired = {
  status: 410,
  when: "The file was not attached within one hour of its upload, and is deleted.",
};
const wrongState = {
  status: 409,
  when: "The new state may not follow the present one. The message lists those that may.",
};
const failedChallenge = {
  status: 422,
  when: "The address is not allowed, or did not answer the challenge.",
};

const success = z.object({ success: z.literal(true) });

/** Case management (seed.md 5; ticketing.md 2), below `apis.ticketing`. */
export const TICKETING_OPERATIONS: readonly Operation[] = operationsOf(
  "ticketing",
  { credentials: "token", errors: COMMON_ERRORS },
  {
    createUser: createRow(
      "Creates a user. An e-mail address belongs to at most one user, regardless of letter case.",
      created,
      {
        domainKey: true,
        body: newUser,
        errors: [
          {
            status: 409,
            when: "Another user has the address. The body has the ids of that user, unless the token was issued for a domain key.",
          },
        ],
      },
    ),
    users: createRow(
      "Lists all users, or those whose fields have exactly the given values.",
      pageOf(user),
      {
        query: userListing,
      },
    ),
    publicUser: createRow(
      "Returns name, address and UUID of the user with this e-mail address. The list is empty if there is none.",
      pageOf(z.object({ name: z.string(), address: z.string(), hash_uuid: z.uuid() })),
      { query: addressQuery },
    ),
    user: createRow("Returns a user.", user, { errors: [unknownId] }),
    changeUser: createRow(
      "Changes a user. Of the further fields, only those in `extra` are replaced.",
      user,
      {
        body: userChange,
        errors: [unknownId, { status: 409, when: "Another user has the address." }],
      },
    ),
    createTicket: createRow(
      "Creates a ticket. Requests with the same Idempotency-Key header create one. With a token that was issued for a domain key, users and files are named by their UUIDs.",
      z.intersection(ticket, created),
      {
        domainKey: true,
        body: newTicket,
        errors: [
          keyUsed,
          {
            status: 422,
            when: "The creator, the solver, the queue or an attachment does not exist.",
          },
          expired,
        ],
      },
    ),
    tickets: createRow(
      "Lists the tickets whose fields have exactly the given values, or those that a query in `iql` finds. Beside `iql`, only `length`, `offset` and `sort` are allowed.",
      pageOf(ticket),
      { query: ticketListing },
    ),
    ticket: createRow("Returns a ticket.", ticket, { errors: [unknownId] }),
    changeTicket: createRow(
      "Changes the title, state, queue, solver, classification or external id of a ticket. The history names `actor` as the person who did it.",
      ticket,
      { body: ticketChange, errors: [unknownId, wrongState] },
    ),
    createReply: createRow(
      "Adds a reply to a ticket. A reply of the ticket's creator reopens a pending or solved ticket. Requests with the same Idempotency-Key header add one reply.",
      created,
      {
        body: newReply,
        errors: [unknownId, { status: 409, when: "The ticket is closed." }, keyUsed, expired],
      },
    ),
    replies: createRow("Lists the replies to a ticket, oldest first.", pageOf(reply), {
      query: paging,
      errors: [unknownId],
    }),
    createSubticket: createRow(
      "Creates a ticket that is a part of another one. Requests with the same Idempotency-Key header create one.",
      z.intersection(ticket, created),
      {
        body: newTicket,
        commonErrors: COMMON_ERRORS.filter((one) => one !== wrongField),
        errors: [
          unknownId,
          {
            status: 302,
            when: "The body is not valid. This operation answers 302 without `Location` where others answer 422.",
          },
          keyUsed,
          expired,
        ],
      },
    ),
    history: createRow(
      "Lists the changes of a ticket and its replies, oldest first.",
      pageOf(ticketEvent),
      {
        query: paging,
        errors: [unknownId],
      },
    ),
    upload: createRow(
      "Uploads a file of up to 7 MB as Base64. It is deleted after one hour unless a ticket or a reply attaches it.",
      created,
      {
        domainKey: true,
        body: newMedia,
        errors: [{ status: 413, when: "The file is larger than 7,340,032 bytes." }],
      },
    ),
    media: createRow("Returns a file's name, type and size, and whether it is attached.", media, {
      errors: [unknownId, expired],
    }),
    download: createRow("Downloads a file.", null, { errors: [unknownId, expired] }),
    queues: createRow("Lists the queues of the project.", pageOf(queue)),
    createQueue: createRow("Creates a queue and returns its number.", z.object({ uuid: z.int() }), {
      body: newQueue,
    }),
    workTimetable: createRow(
      "Returns the working hours and holidays of each queue.",
      workTimetable,
    ),
    setWorkTimetable: createRow(
      "Replaces the working hours and holidays of all queues. Times are as `09:30`, dates as `2026-12-31`.",
      workTimetable,
      {
        body: workTimetable,
      },
    ),
    createSurvey: createRow(
      "Creates a survey and returns its number.",
      z.object({ uuid: z.int() }),
      { body: survey },
    ),
    startSurvey: createRow(
      "Starts a survey about a ticket. The answer has its pages, and a token to submit it with. Each call returns a new token.",
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
    submitSurvey: createRow(
      "Submits the answers of a survey that was started. Each token can be used once.",
      success,
      {
        domainKey: true,
        body: surveySubmission,
        errors: [
          {
            status: 404,
            when: "There is no survey with this id, or none was started with this token.",
          },
          { status: 409, when: "The token has been used: its survey is submitted." },
        ],
      },
    ),
    createWebhook: createRow(
      "Registers an https address, to which changes of `item` are sent. The address must first answer a GET with status 200 and the value of the header X-Inbenta-Challenge as text, within 5 seconds.",
      created,
      {
        body: newWebhook,
        errors: [failedChallenge],
      },
    ),
    webhooks: createRow("Lists the registered addresses.", pageOf(webhook), { query: paging }),
    changeWebhook: createRow(
      "Replaces the address, item and secret of a registration, after the same challenge. Events that were not delivered yet go to the new address.",
      webhook,
      {
        body: newWebhook,
        errors: [unknownId, failedChallenge],
      },
    ),
    removeWebhook: createRow(
      "Deletes a registration, and the events that were not delivered to its address yet.",
      success,
      { errors: [unknownId] },
    ),
  },
);
