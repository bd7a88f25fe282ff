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
  when: "Another was faster, or the ticket is closed or merged; the message says which.",
};

/** Tickets at the desk, for agents with rights on them. */
export const ticketRows = {
  tickets: createRow(
    "Tickets of the app's project, the latest change first, or the oldest with `order=oldest`: for agents with the right TICKET_VIEW, by their token.",
    z.object({
      tickets: z.array(ticketLine),
      hasMore: z.boolean(),
      next: z.string().nullable(),
      counts: ticketCounts,
    }),
    { persons: true, query: ticketFilter },
  ),
  ticket: createRow("One of them, with its transcript, replies, notes and files.", oneTicket, {
    persons: true,
    errors: [unknownId],
  }),
  ticketChoices: createRow(
    "Queues, tags and types of files that a ticket can have.",
    ticketChoices,
    {
      persons: true,
    },
  ),
  ticketPeople: createRow(
    "People who asked in tickets that the agent may read, or wrote in chats that the agent may see, and whose name or address has all words of `search`; eight at most.",
    ticketPeople,
    { persons: true, query: ticketPeopleFilter },
  ),
  createTicket: createRow(
    "Makes a ticket for an agent with the right TICKET_EDIT: of a chat, with what was said in it, or of what a person said elsewhere. A chat has one: asked again, it is given. With an Idempotency-Key header, other tickets are stored once.",
    oneTicket,
    { persons: true, body: newChatTicket, errors: [unknownId, conflict] },
  ),
  changeTicket: createRow(
    "Changes title, state, queue, assignee or tags. With `seen`, a field that another has changed since is a conflict.",
    oneTicket,
    { persons: true, body: chatTicketChange, errors: [unknownId, conflict] },
  ),
  changeTickets: createRow(
    "Makes the same change to up to 100 tickets, each with the rights on it. Answers for each whether it was changed, or why not; calling again changes nothing that is changed.",
    ticketsChanged,
    { persons: true, body: chatTicketsChange },
  ),
  answerTicket: createRow(
    "Answers a ticket. With `seen`, a conflict where something was said since; with an Idempotency-Key header, stored once.",
    oneTicket,
    { persons: true, body: chatTicketAnswer, errors: [unknownId, conflict] },
  ),
  addTicketNote: createRow(
    "Keeps a note that agents alone see. With an Idempotency-Key header, it is kept once.",
    oneTicket,
    { persons: true, body: chatTicketNote, errors: [unknownId, conflict] },
  ),
  noteTicketActivity: createRow(
    "Tells the other agents that this one looks at a ticket, writes an answer to it, or has left it, and answers who else is there. Looking counts for 25 seconds, writing for 10.",
    ticketPresence,
    { persons: true, body: chatTicketActivity, errors: [unknownId] },
  ),
  mergeTicket: createRow(
    "Merges a ticket into another one, and answers that one. The first is closed; later replies to it go into the other.",
    oneTicket,
    { persons: true, body: chatTicketMerge, errors: [unknownId, conflict] },
  ),
  decideTicketMail: createRow(
    "Sends a mail again that failed or was perhaps sent; or makes one that is held a reply of the person, or discards it.",
    oneTicket,
    { persons: true, body: chatTicketMail, errors: [unknownId, conflict] },
  ),
  uploadTicketFile: createRow(
    "Takes a file for an answer or a new ticket, as multipart or base64. One that none names is deleted after an hour.",
    z.object({ media: ticketFile }),
    { persons: true, body: newMedia },
  ),
  ticketFile: createRow("A file of a ticket.", null, { persons: true, errors: [unknownId] }),
  chatTickets: createRow(
    "Tickets that belong to a chat.",
    z.object({ tickets: z.array(ticketLine) }),
    {
      persons: true,
      errors: [unknownId],
    },
  ),
};
