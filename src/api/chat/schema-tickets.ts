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
  tag: skipEmpty(acceptText(LIMITS.tag)),
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
const status = wholeNumber.pipe(
  z.literal([2, 3, 4], { error: "must be 2 (open), 3 (pending) or 4 (solved)" }),
);

/** The number of the last change that the agent has seen. A later one is a conflict. */
const seen = wholeNumber.optional();

export const chatTicketChange = z.object({
  seen,
  title: acceptFilledText(LIMITS.title).optional(),
  status: status.optional(),
  queue: wholeNumber.optional(),
  /** Id of an agent. An empty text removes the assignee. */
  assignee: acceptText(LIMITS.id).optional(),
  /** Replaces all tags of the ticket. */
  tags: listOf(tag, LIMITS.tags).optional(),
  /** Tags to add to the ticket, and tags to remove from it. */
  addTags: listOf(tag, LIMITS.tags).optional(),
  removeTags: listOf(tag, LIMITS.tags).optional(),
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
  tickets: listOf(z.object({ id: wholeNumber, seen }), LIMITS.ticketsAtOnce),
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
  attachments: listOf(identifier, LIMITS.attachments).optional(),
  /** The state of the ticket after the answer. */
  status: status.optional(),
});
export type ChatTicketAnswer = OutputOf<typeof chatTicketAnswer>;

export const chatTicketNote = z.object({ message: acceptFilledText(LIMITS.chatMessage) });

/** Other agents see for some seconds that an agent looks at a ticket or writes an answer to it. */
export const chatTicketActivity = z.object({
  type: z.enum(["looking", "writing", "left"], {
    error: "must be among looking, writing, left",
  }),
});
export type ChatTicketActivity = OutputOf<typeof chatTicketActivity>;

export const chatTicketMerge = z.object({ into: identifier });

/** The actions that an agent may take on a mail of a ticket. */
const MAIL_ACTIONS = ["resend", "accept", "discard"] as const;

export const chatTicketMail = z.object({
  /** Number of the mail. */
  mail: wholeNumber,
  /** `resend` is for outgoing mail; `accept` makes a reply of a held mail, `discard` drops it. */
  action: z.enum(MAIL_ACTIONS, { error: `must be among ${MAIL_ACTIONS.join(", ")}` }),
});
export type ChatTicketMailAction = OutputOf<typeof chatTicketMail>;

/** A ticket from a chat, or about what a person told an agent elsewhere, such as by phone. */
export const newChatTicket = z.object({
  /** Id of the chat. Without it, `title`, `message`, and `name` or `contact` are needed. */
  chat: skipEmpty(acceptFilledText(LIMITS.id)),
  title: skipEmpty(acceptText(LIMITS.title)),
  queue: skipEmpty(wholeNumber),
  /** The person's name and e-mail address. */
  name: skipEmpty(acceptText(LIMITS.name)),
  contact: skipEmpty(acceptText(LIMITS.mailAddress)),
  message: skipEmpty(acceptText(LIMITS.chatMessage)),
  /** Id of a user of the chat for whom the ticket is. The user needs no address. */
  person: skipEmpty(acceptText(LIMITS.id)),
  attachments: listOf(identifier, LIMITS.attachments).optional(),
  /** Id of the assignee. Default: the agent who creates the ticket. */
  assignee: skipEmpty(acceptText(LIMITS.id)),
  /** The language that the person speaks. */
  language: skipEmpty(acceptText(LIMITS.id)),
});
export type NewChatTicket = OutputOf<typeof newChatTicket>;
