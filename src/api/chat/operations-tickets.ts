import { z } from "zod";
import { createRow } from "../call/operation.ts";
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
import { unknownId } from "./operations-chats.ts";
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
const conflict = {
  status: 409,
  when: "Somebody else has changed the ticket, or it is closed or merged; the message says which.",
};

/** Tickets at the desk, for agents with rights on them. */
export const ticketRows = {
  tickets: createRow(
    "Lists the tickets of the app's project, the last changed first, or the oldest first with `order=oldest`. It needs the token of an agent with the right TICKET_VIEW.",
    z.object({
      tickets: z.array(ticketLine),
      hasMore: z.boolean(),
      next: z.string().nullable(),
      counts: ticketCounts,
    }),
    { persons: true, query: ticketFilter },
  ),
  ticket: createRow("Reads a ticket with its transcript, replies, notes and files.", oneTicket, {
    persons: true,
    errors: [unknownId],
  }),
  ticketChoices: createRow(
    "Lists the queues, tags and types of files that a ticket can have.",
    ticketChoices,
    {
      persons: true,
    },
  ),
  ticketPeople: createRow(
    "Lists at most eight people whose name or address has all words of `search`: authors of tickets that the agent may read, and people in chats that the agent may see.",
    ticketPeople,
    { persons: true, query: ticketPeopleFilter },
  ),
  createTicket: createRow(
    "Creates a ticket from a chat, with its messages, or from what a person said elsewhere. It needs an agent with the right TICKET_EDIT. A chat has one ticket, and a second request returns it. For other tickets, requests with the same Idempotency-Key header create one.",
    oneTicket,
    { persons: true, body: newChatTicket, errors: [unknownId, conflict] },
  ),
  changeTicket: createRow(
    "Changes title, state, queue, assignee or tags. With `seen`, the answer is a conflict if somebody else has changed such a field since.",
    oneTicket,
    { persons: true, body: chatTicketChange, errors: [unknownId, conflict] },
  ),
  changeTickets: createRow(
    "Makes the same change to up to 100 tickets, as far as the agent has rights on each. The answer says for each whether it was changed, or why not. A repeated request does no harm.",
    ticketsChanged,
    { persons: true, body: chatTicketsChange },
  ),
  answerTicket: createRow(
    "Answers a ticket. With `seen`, the answer is a conflict if something was said since. Requests with the same Idempotency-Key header store one answer.",
    oneTicket,
    { persons: true, body: chatTicketAnswer, errors: [unknownId, conflict] },
  ),
  addTicketNote: createRow(
    "Adds a note that only agents see. Requests with the same Idempotency-Key header add one.",
    oneTicket,
    { persons: true, body: chatTicketNote, errors: [unknownId, conflict] },
  ),
  noteTicketActivity: createRow(
    "Tells other agents that this agent looks at a ticket, writes an answer or has left it, and returns who else is there. Looking ends after 25 seconds without another request, writing after 10.",
    ticketPresence,
    { persons: true, body: chatTicketActivity, errors: [unknownId] },
  ),
  mergeTicket: createRow(
    "Merges a ticket into another one, which is returned. The first is closed, and later replies to it go into the other.",
    oneTicket,
    { persons: true, body: chatTicketMerge, errors: [unknownId, conflict] },
  ),
  decideTicketMail: createRow(
    "Sends a mail again that failed or may not have been sent; turns a held mail into a reply of the person; or discards it.",
    oneTicket,
    { persons: true, body: chatTicketMail, errors: [unknownId, conflict] },
  ),
  uploadTicketFile: createRow(
    "Uploads a file for an answer or a new ticket, as multipart or base64. A file that no ticket names is deleted after an hour.",
    z.object({ media: ticketFile }),
    { persons: true, body: newMedia },
  ),
  ticketFile: createRow("Downloads a file of a ticket.", null, {
    persons: true,
    errors: [unknownId],
  }),
  chatTickets: createRow(
    "Lists the tickets of a chat.",
    z.object({ tickets: z.array(ticketLine) }),
    {
      persons: true,
      errors: [unknownId],
    },
  ),
};
