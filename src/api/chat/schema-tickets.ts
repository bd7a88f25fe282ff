import { z } from "zod";
import {
  acceptFilledText,
  identifier,
  listOf,
  type OutputOf,
  acceptText,
  skipEmpty,
  wholeNumber,
} from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import type { ExplainedReason } from "./reasons.ts";
import { paging } from "./schema.ts";
import { finding } from "./schema-lists.ts";
import { TICKET_ORDERS, TICKET_VIEWS } from "./states.ts";

/** Shapes of requests about tickets. */

/**
 * Tickets of a view or state that have all words of `search` in their texts or in their user's
 * name.
 */
export const ticketFilter = z.object({
  ...paging,
  ...finding,
  view: z
    .enum(TICKET_VIEWS, { error: `must be among ${TICKET_VIEWS.join(", ")}` })
    .optional()
    .meta({ description: "`new`: unassigned; `mine`: the agent's own that are not solved" }),
  status: skipEmpty(wholeNumber).meta({
    description: "1 (new), 2 (open), 3 (pending), 4 (solved) or 5 (closed)",
  }),
  tag: skipEmpty(acceptText(LIMITS.tag)).meta({ description: "A tag of the ticket" }),
  queue: skipEmpty(wholeNumber).meta({ description: "Number of a queue" }),
  order: skipEmpty(
    z.enum(TICKET_ORDERS, { error: `must be among ${TICKET_ORDERS.join(", ")}` }),
  ).meta({ description: "By the last change; the default is the newest first" }),
});
export type TicketFilter = OutputOf<typeof ticketFilter>;

export const ticketPeopleFilter = z.object({ search: finding.search });

const tag = acceptFilledText(LIMITS.tag)
  .transform((value) => value.trim().replaceAll(/\s+/g, " "))
  .refine((value) => !value.includes(","), { error: "must not have a comma" });

/** Why the tags of a ticket are refused. */
export const REFUSED_TAGS: ExplainedReason = {
  reason: "tags",
  params: { count: LIMITS.tags, length: LIMITS.tag },
};

/** Agents solve tickets. A ticket is closed by another program, or by a merge. */
const status = wholeNumber
  .pipe(z.literal([2, 3, 4], { error: "must be 2 (open), 3 (pending) or 4 (solved)" }))
  .describe("2 (open), 3 (pending) or 4 (solved)");

/** A later change is a conflict. */
const seen = wholeNumber.optional().describe("Number of the last change that the agent has seen");

const attachments = listOf(identifier, LIMITS.attachments)
  .optional()
  .describe("Ids of uploaded files");
const queue = wholeNumber.describe("Number of a queue");

export const chatTicketChange = z.object({
  seen,
  title: acceptFilledText(LIMITS.title).optional(),
  status: status.optional(),
  queue: queue.optional(),
  assignee: acceptText(LIMITS.id)
    .optional()
    .describe("Id of an agent; an empty text removes the assignee"),
  tags: listOf(tag, LIMITS.tags).optional().describe("Replaces all tags of the ticket"),
  addTags: listOf(tag, LIMITS.tags).optional().describe("Tags to add"),
  removeTags: listOf(tag, LIMITS.tags).optional().describe("Tags to remove"),
});
export type ChatTicketChange = OutputOf<typeof chatTicketChange>;

/** The reasons for refused fields of a {@link chatTicketChange}. */
export const TICKET_REASONS = {
  tags: REFUSED_TAGS,
  addTags: REFUSED_TAGS,
  removeTags: REFUSED_TAGS,
} as const;

/** The same change of several tickets. Each ticket is changed or refused on its own. */
export const chatTicketsChange = z.object({
  tickets: listOf(
    z.object({ id: wholeNumber.describe("Number of a ticket"), seen }),
    LIMITS.ticketsAtOnce,
  ).describe("The tickets to change"),
  ...chatTicketChange.pick({
    status: true,
    queue: true,
    assignee: true,
    addTags: true,
    removeTags: true,
  }).shape,
});
export type ChatTicketsChange = OutputOf<typeof chatTicketsChange>;

export const chatTicketAnswer = z.object({
  seen,
  message: acceptFilledText(LIMITS.chatMessage),
  attachments,
  status: status
    .optional()
    .describe("The state after the answer: 2 (open), 3 (pending) or 4 (solved)"),
});
export type ChatTicketAnswer = OutputOf<typeof chatTicketAnswer>;

export const chatTicketNote = z.object({ message: acceptFilledText(LIMITS.chatMessage) });

/** Other agents see for some seconds that an agent looks at a ticket or writes an answer to it. */
export const chatTicketActivity = z.object({
  type: z
    .enum(["looking", "writing", "left"], { error: "must be among looking, writing, left" })
    .describe("What the agent does"),
});
export type ChatTicketActivity = OutputOf<typeof chatTicketActivity>;

export const chatTicketMerge = z.object({
  into: identifier.describe("Number of the ticket that stays"),
});

/** The actions that an agent may take on a mail of a ticket. */
const MAIL_ACTIONS = ["resend", "accept", "discard"] as const;

export const chatTicketMail = z.object({
  mail: wholeNumber.describe("Number of the mail"),
  action: z
    .enum(MAIL_ACTIONS, { error: `must be among ${MAIL_ACTIONS.join(", ")}` })
    .describe("`resend` is for outgoing mail, `accept` and `discard` for held mail"),
});
export type ChatTicketMailAction = OutputOf<typeof chatTicketMail>;

/** A ticket from a chat, or about what a person told an agent elsewhere, such as by phone. */
export const newChatTicket = z.object({
  chat: skipEmpty(acceptFilledText(LIMITS.id)).describe(
    "Id of the chat; without it, `title`, `message`, and `name` or `contact` are needed",
  ),
  title: skipEmpty(acceptText(LIMITS.title)),
  queue: skipEmpty(queue),
  name: skipEmpty(acceptText(LIMITS.name)).describe("The person's name"),
  contact: skipEmpty(acceptText(LIMITS.mailAddress)).describe("The person's e-mail address"),
  message: skipEmpty(acceptText(LIMITS.chatMessage)),
  person: skipEmpty(acceptText(LIMITS.id)).describe(
    "Id of a user of the chat whose ticket it is; the user needs no address",
  ),
  attachments,
  assignee: skipEmpty(acceptText(LIMITS.id)).describe(
    "Id of an agent; the default is the agent who creates the ticket",
  ),
  language: skipEmpty(acceptText(LIMITS.id)).describe("The language that the person speaks"),
});
export type NewChatTicket = OutputOf<typeof newChatTicket>;
