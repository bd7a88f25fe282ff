import { z } from "zod";
import type { OutputOf } from "../call/fields.ts";

/** Shapes of the service's answers. Times are Unix seconds. */

const seconds = z.int().min(0);
const uuid = z.uuid();

/** The ids of a created record: its number, its UUID, and the printable number of a ticket. */
export const created = z.object({
  uuid: z.union([z.int(), uuid]),
  hash_uuid: uuid,
  full_uuid: z.string().optional(),
});

/** A person who asks in tickets, or works on them. */
export const user = z.object({
  id: z.int(),
  /** A random id for public use, because `id` can be guessed. */
  hash_uuid: uuid,
  name: z.string(),
  /** E-mail address. */
  address: z.string(),
  /** Further fields, by the number that the project gave them. */
  extra: z.array(z.object({ id: z.int(), content: z.string() })),
  created: seconds,
  last_update: seconds,
});
export type User = OutputOf<typeof user>;
export type ExtraField = User["extra"][number];

const reference = z.object({ id: z.int(), hash_uuid: uuid, name: z.string() });
export type MediaReference = OutputOf<typeof reference>;

export const media = reference.extend({
  type: z.string(),
  /** Bytes. */
  size: z.int(),
  created: seconds,
  /** If false, the file is deleted one hour after `created`. */
  attached: z.boolean(),
});
export type Media = OutputOf<typeof media>;

const priorMessage = z.object({
  /** `assistant` for the bot, otherwise `user`. */
  user: z.string(),
  /** HTML. */
  message: z.string(),
});
export type PriorMessage = OutputOf<typeof priorMessage>;

export const ticket = z.object({
  id: z.int(),
  hash_uuid: uuid,
  /** The number that people see, such as `2H7-418`. */
  full_uuid: z.string(),
  title: z.string(),
  /** HTML; an image whose `src` is `att:<media>` shows an attachment. */
  message: z.string(),
  /** Id of the user who asked. */
  creator: z.int(),
  /** Id of the user who works on it. */
  solver: z.int().nullable(),
  /** Number of the ticket's channel; 3 is the chat. */
  source: z.int(),
  queue: z.int(),
  status: z.literal([1, 2, 3, 4, 5]),
  classification: z.int().nullable(),
  /** The ticket's id in another system, such as that of the chat from which it was created. */
  external_id: z.string().nullable(),
  /** Id of the ticket that this one is a part of. */
  parent: z.int().nullable(),
  attachments: z.array(reference),
  /** The conversation before the ticket was created. */
  history: z.object({ messages: z.array(priorMessage) }),
  created: seconds,
  last_update: seconds,
});
export type Ticket = OutputOf<typeof ticket>;

/** The number of a ticket's state. {@link TICKET_TRANSITIONS} lists which may follow which. */
export type TicketStatus = Ticket["status"];

/** Names of the numbers in `status`. The specification lists no states; these are Afterword's. */
export const TICKET_STATUSES: Readonly<Record<TicketStatus, string>> = {
  1: "new",
  2: "open",
  3: "pending",
  4: "solved",
  5: "closed",
};

/** The states that may follow each state. None follows `closed`: create a new ticket instead. */
export const TICKET_TRANSITIONS: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  1: [2, 3, 4, 5],
  2: [3, 4, 5],
  3: [2, 4, 5],
  4: [2, 5],
  5: [],
};

export const reply = z.object({
  id: z.int(),
  hash_uuid: uuid,
  ticket: z.int(),
  creator: z.int(),
  message: z.string(),
  /** `reply` if the ticket's creator wrote it, otherwise `answer`. */
  type: z.enum(["answer", "reply"]),
  attachments: z.array(reference),
  created: seconds,
});
export type TicketReply = OutputOf<typeof reply>;

/** A change of a ticket. Lists have the oldest first. */
export const ticketEvent = z.object({
  id: z.int(),
  action: z.string(),
  field: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  actor: z.int().nullable(),
  timestamp: seconds,
});
export type TicketEvent = OutputOf<typeof ticketEvent>;

export const queue = z.object({ id: z.int(), name: z.string() });
export type Queue = OutputOf<typeof queue>;

/** The kinds of records that a registered webhook is notified about. */
export const webhookItem = z.enum([
  "alert",
  "ticket",
  "reply",
  "user",
  "media",
  "classification",
  "queue",
]);
export type WebhookItem = z.output<typeof webhookItem>;

export const webhook = z.object({
  id: z.int(),
  hash_uuid: uuid,
  item: webhookItem,
  url: z.string(),
  created: seconds,
});
export type Webhook = OutputOf<typeof webhook>;

/** One element of a delivery, which is always a list. */
export interface WebhookEvent {
  readonly id: number;
  readonly item: WebhookItem;
  readonly action: "add" | "update" | "remove";
  readonly timestamp: number;
  readonly actor: number;
  readonly parent: number | null;
}

/** One page of a list, in the order of ids unless the request sorts it otherwise. */
export const pageOf = <T>(item: z.ZodType<T>) =>
  z.object({ data: z.array(item), hasMore: z.boolean() });
