import { z } from "zod";
import type { OutputOf } from "../call/fields.ts";
import { queue, ticket as anyTicket } from "../ticketing/answers.ts";
import { excerpt, mediaShape } from "./answers.ts";
import { REFUSAL_REASONS } from "./reasons.ts";

/** Shapes of answers about tickets. Times are Unix seconds. */

const seconds = z.int().min(0);

export const ticketLine = anyTicket.pick({ id: true, title: true, status: true }).extend({
  /** The number that people see, such as `2H7-418`. */
  number: z.string(),
  /** Name of the queue. */
  queue: z.string(),
  /** Name of the user who asked. */
  user: z.string(),
  /** The user's language: a tag, or empty. */
  language: z.string(),
  /** The assignee; the id is null for a user of case management who is not an agent. */
  assignee: z.object({ id: z.string().nullable(), name: z.string() }).nullable(),
  tags: z.array(z.string()),
  /** Number of the last change in this answer. Requests send it back as `seen`. */
  seen: z.int(),
  /** The part of the text that a search found. */
  excerpt: excerpt.optional(),
  created: seconds,
  updated: seconds,
});
export type ChatTicketLine = OutputOf<typeof ticketLine>;

/** The number of tickets in each view, where 1000 means 1000 or more. */
export const ticketCounts = z.object({
  new: z.int(),
  mine: z.int(),
  open: z.int(),
  waiting: z.int(),
  solved: z.int(),
  all: z.int(),
  /** The agent's own open tickets, which wait for an answer. */
  toAnswer: z.int(),
});
export type ChatTicketCounts = OutputOf<typeof ticketCounts>;

const files = z.array(z.object({ ...mediaShape, url: z.string() }));

/**
 * The texts of a ticket: the question, the conversation before it, the replies and the notes. Texts
 * are plain, and the addresses of files are `/tickets/media/<id>`.
 */
const ticketTexts = z.object({
  /** The question; empty if the transcript contains it. */
  message: z.string(),
  /** Name of the agent who wrote the question down for the user, or empty. */
  author: z.string(),
  files,
  /** Earlier messages by `assistant`, an `agent` or the user. */
  transcript: z.array(
    z.object({
      user: z.string(),
      /** An agent's name, or empty. */
      name: z.string(),
      message: z.string(),
      created: seconds.nullable(),
    }),
  ),
  /** The number of earlier lines that were left out of the transcript. */
  dropped: z.int().min(0),
  /** The conversation's address in the owner's own system, or empty. */
  link: z.string(),
  /** Oldest first. `reply` is from the user who asked, `answer` from anybody else. */
  replies: z.array(
    z.object({
      id: z.int(),
      user: z.string(),
      type: z.enum(["answer", "reply"]),
      message: z.string(),
      files,
      created: seconds,
    }),
  ),
  /** Notes that agents wrote for each other. */
  notes: z.array(z.object({ user: z.string(), message: z.string(), created: seconds })),
});
export type ChatTicketWords = OutputOf<typeof ticketTexts>;

/** A change of a ticket; `field` is `status`, `assignee`, `tags`, `queue`, `merged`… */
const change = z.object({
  field: z.string(),
  /**
   * The values before and after as people read them: a name, tags separated by commas, or a
   * ticket's number. A state is given by its number.
   */
  from: z.string(),
  to: z.string(),
  /** Name of the person who made the change, or empty. */
  user: z.string(),
  created: seconds,
});

const reference = z.object({
  id: z.int(),
  number: z.string(),
  title: z.string(),
  status: anyTicket.shape.status,
});

/** An e-mail of a ticket. */
const ticketMail = z.object({
  id: z.int(),
  /** The reply that it carries or became, or null. */
  reply: z.int().nullable(),
  /**
   * Outgoing mails have the states of the first row, incoming mails those of the second. `doubtful`:
   * the mail may have been sent.
   */
  state: z.enum([
    ...(["queued", "sending", "sent", "doubtful", "failed"] as const),
    ...(["taken", "held", "discarded", "automatic", "bounced"] as const),
  ]),
  /** The recipient of an outgoing mail, the sender of an incoming one. */
  address: z.string(),
  subject: z.string(),
  /** The text. An outgoing mail has here only the part that is not in its reply. */
  message: z.string(),
  /** The text of earlier mails that the sender's program quoted. */
  quoted: z.string(),
  /** The reason why the mail failed, is doubtful or is held, or empty. */
  reason: z.string(),
  created: seconds,
});

/** The other agents who have the ticket open now. `writing`: true while one writes an answer. */
export const ticketPresence = z.object({
  present: z.array(z.object({ id: z.string(), name: z.string(), writing: z.boolean() })),
});

export const ticket = ticketLine.extend({
  ...ticketTexts.shape,
  ...ticketPresence.shape,
  /** E-mail address of the user who asked. */
  contact: z.string(),
  queueId: z.int(),
  /** True if this agent may change the ticket. */
  editable: z.boolean(),
  /** The states that may follow the present one. */
  next: z.array(anyTicket.shape.status),
  changes: z.array(change),
  /** The mails of the ticket, the oldest first. */
  mails: z.array(ticketMail),
  /** The ticket that this one was merged into, or null. */
  mergedInto: reference.nullable(),
  /** Tickets that were merged into this one, with their texts. */
  merged: z.array(
    z.object({ ...reference.shape, user: z.string(), created: seconds, ...ticketTexts.shape }),
  ),
  /** The user's other tickets, the latest first. */
  others: z.array(reference),
  /** The chats of the ticket that this agent may see. */
  chats: z.array(z.object({ id: z.string(), created: seconds, closed: z.boolean() })),
});
export type ChatTicket = OutputOf<typeof ticket>;

/** The values that fields of a ticket can have, and the rights of this agent. */
export const ticketChoices = z.object({
  /** In each queue, this agent may read tickets (`readable`), or also create and change them (`editable`). */
  queues: z.array(queue.extend({ readable: z.boolean(), editable: z.boolean() })),
  /** Tags in use, the most frequent first. */
  tags: z.array(z.string()),
  /** Accepted types of files. */
  fileTypes: z.array(z.string()),
  /** True if this agent may create tickets. */
  editable: z.boolean(),
  /** True if answers are sent by e-mail to people with an address. */
  mail: z.boolean(),
});
export type ChatTicketChoices = OutputOf<typeof ticketChoices>;

/** People for whom an agent can create a ticket. */
export const ticketPeople = z.object({
  people: z.array(
    z.object({
      name: z.string(),
      /** An e-mail address, or empty. */
      contact: z.string(),
      /** Id of a user of the chat who never asked in a ticket, or empty. */
      person: z.string(),
    }),
  ),
});
export type ChatTicketPerson = OutputOf<typeof ticketPeople>["people"][number];

/** The results of changing several tickets, one for each. */
export const ticketsChanged = z.object({
  results: z.array(
    z.object({
      id: z.int(),
      /** The refusal in the form of an error; null if the ticket was changed. */
      refused: z
        .object({
          code: z.int(),
          message: z.string(),
          reason: z.enum(REFUSAL_REASONS).optional(),
          params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
        })
        .nullable(),
    }),
  ),
});
export type ChatTicketsChanged = OutputOf<typeof ticketsChanged>;

export const ticketFile = z.object({ ...mediaShape, id: z.string(), url: z.string() });
export type ChatTicketFile = OutputOf<typeof ticketFile>;
