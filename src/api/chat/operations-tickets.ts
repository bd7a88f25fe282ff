import { z } from "zod";
import { createRow, keyUsed } from "../call/operation.ts";
import {
  ticket,
  ticketChoices,
  ticketPeople,
  ticketCounts,
  ticketFile,
  ticketLine,
  ticketPresence,
  ticketsChanged,
} from "./answers-tickets.ts";
import { tooLarge, unknownId } from "./operations-chats.ts";
import {
  chatTicketActivity,
  chatTicketAnswer,
  chatTicketChange,
  chatTicketMerge,
  chatTicketNote,
  chatTicketsChange,
  newChatTicket,
  chatTicketMail,
  ticketFilter,
  ticketPeopleFilter,
} from "./schema-tickets.ts";
import { newMedia } from "./schema.ts";

const oneTicket = z.object({ ticket });

/** Only an agent may call these, with a token: the rights of a named agent decide. */
const forAgents = { credentials: "app-token", persons: true } as const;
const mayRead = {
  status: 403,
  when: "The agent does not have the right TICKET_VIEW, or the app has no project.",
};
const mayEdit = {
  status: 403,
  when: "The agent does not have the right TICKET_VIEW or, for the queue of the ticket, TICKET_EDIT; or the app has no project.",
};

/** Tickets at the desk, for agents with rights on them. */
export const ticketRows = {
  tickets: createRow(
    "Lists the tickets that the agent may read, by their last change: the newest first, or the oldest with `order=oldest`. `counts` is the number of tickets in each view, and `next` the `after` of the next page.",
    z.object({
      tickets: z.array(ticketLine),
      hasMore: z.boolean(),
      next: z.string().nullable(),
      counts: ticketCounts,
    }),
    {
      ...forAgents,
      query: ticketFilter,
      errors: [
        mayRead,
        {
          status: 404,
          when: "There is no such `person`, or the agent may not read the ticket that names it.",
        },
      ],
    },
  ),
  ticket: createRow(
    "Returns a ticket with its transcript, replies, notes, files, mails and changes.",
    oneTicket,
    {
      ...forAgents,
      errors: [mayRead, unknownId],
    },
  ),
  ticketChoices: createRow(
    "Lists the queues, tags and types of files that a ticket can have, and tells which of the queues the agent may read and change.",
    ticketChoices,
    {
      ...forAgents,
      errors: [mayRead],
    },
  ),
  ticketPeople: createRow(
    "Lists at most eight people whose name or address has all words of `search`: those who asked in tickets that the agent may read, and the users of chats that the agent may see.",
    ticketPeople,
    { ...forAgents, query: ticketPeopleFilter, errors: [mayRead] },
  ),
  createTicket: createRow(
    "Creates a ticket from a chat, with its messages, or from what a person said elsewhere. A chat has one ticket, and a second request returns it. For other tickets, requests with the same Idempotency-Key header create one.",
    oneTicket,
    {
      ...forAgents,
      body: newChatTicket,
      errors: [
        mayEdit,
        unknownId,
        { status: 409, when: "The chat has a ticket in a queue that the agent may not read." },
        keyUsed,
      ],
    },
  ),
  changeTicket: createRow(
    "Changes the title, state, queue, assignee or tags of a ticket. With `seen`, the change is refused if somebody else has changed one of these fields since.",
    oneTicket,
    {
      ...forAgents,
      body: chatTicketChange,
      errors: [
        mayEdit,
        unknownId,
        {
          status: 409,
          when: "Somebody else has changed the same field since `seen`, or the new state may not follow the present one. The message says which.",
        },
      ],
    },
  ),
  changeTickets: createRow(
    "Makes the same change to up to 100 tickets. For each, the answer says whether it was changed, or why not. A repeated request does no harm.",
    ticketsChanged,
    { ...forAgents, body: chatTicketsChange, errors: [mayRead] },
  ),
  answerTicket: createRow(
    "Answers a ticket, and assigns it to the agent if it has no assignee. With `seen`, the answer is refused if somebody has written since. Requests with the same Idempotency-Key header store one answer.",
    oneTicket,
    {
      ...forAgents,
      body: chatTicketAnswer,
      errors: [
        mayEdit,
        unknownId,
        {
          status: 409,
          when: "Somebody has written since `seen`, the ticket is closed or merged, or the new state may not follow the present one. The message says which.",
        },
        keyUsed,
      ],
    },
  ),
  addTicketNote: createRow(
    "Adds a note that only agents see. Requests with the same Idempotency-Key header add one note.",
    oneTicket,
    {
      ...forAgents,
      body: chatTicketNote,
      errors: [mayEdit, unknownId, { status: 409, when: "The ticket has 200 notes." }, keyUsed],
    },
  ),
  noteTicketActivity: createRow(
    "Tells other agents that this agent looks at a ticket, writes an answer or has left it, and returns the other agents who have it open. Looking ends after 25 seconds without another request, writing after 10.",
    ticketPresence,
    { ...forAgents, body: chatTicketActivity, errors: [mayRead, unknownId] },
  ),
  mergeTicket: createRow(
    "Merges a ticket into the ticket `into`, which is returned. The first is closed, and later replies to it go to the other.",
    oneTicket,
    {
      ...forAgents,
      body: chatTicketMerge,
      errors: [
        mayEdit,
        unknownId,
        { status: 409, when: "One of the tickets is merged already, or the other one is closed." },
      ],
    },
  ),
  decideTicketMail: createRow(
    "Decides about a mail of a ticket: `resend` sends a mail again that failed or may not have been sent, `accept` makes a reply of a held mail, and `discard` drops a held mail.",
    oneTicket,
    {
      ...forAgents,
      body: chatTicketMail,
      errors: [
        mayEdit,
        unknownId,
        {
          status: 409,
          when: "E-mail is switched off, or the state of the mail does not allow this. The message says which.",
        },
      ],
    },
  ),
  uploadTicketFile: createRow(
    "Uploads a file of up to 7 MB for an answer or a new ticket, as multipart or as JSON with `name` and Base64 `content`. It is deleted after an hour unless a ticket attaches it.",
    z.object({ media: ticketFile }),
    {
      ...forAgents,
      body: newMedia,
      errors: [
        {
          status: 403,
          when: "The agent does not have the rights TICKET_VIEW and TICKET_EDIT, or the app has no project.",
        },
        tooLarge,
      ],
    },
  ),
  ticketFile: createRow("Downloads a file of a ticket.", null, {
    ...forAgents,
    errors: [
      mayRead,
      unknownId,
      {
        status: 410,
        when: "The file was not attached within an hour of its upload, and is deleted.",
      },
    ],
  }),
  chatTickets: createRow(
    "Lists the tickets of a chat that the agent may read.",
    z.object({ tickets: z.array(ticketLine) }),
    {
      ...forAgents,
      errors: [mayRead, unknownId],
    },
  ),
};
