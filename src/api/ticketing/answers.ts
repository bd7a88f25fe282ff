import { z } from "zod";
import type { Created, Media, Page, Reply, Ticket, TicketEvent, User, Webhook } from "./types.ts";

/** Shapes of answers, as the service gives them. */

const seconds = z.int().min(0);
const uuid = z.uuid();

export const created: z.ZodType<Created> = z.object({
  uuid: z.union([z.int(), uuid]),
  hash_uuid: uuid,
  full_uuid: z.string().optional(),
});

export const user: z.ZodType<User> = z.object({
  id: z.int(),
  hash_uuid: uuid,
  name: z.string(),
  address: z.string(),
  extra: z.array(z.object({ id: z.int(), content: z.string() })),
  created: seconds,
  last_update: seconds,
});

const reference = { id: z.int(), hash_uuid: uuid, name: z.string() };

export const media: z.ZodType<Media> = z.object({
  ...reference,
  type: z.string(),
  size: z.int(),
  created: seconds,
  attached: z.boolean(),
});

export const ticket: z.ZodType<Ticket> = z.object({
  id: z.int(),
  hash_uuid: uuid,
  full_uuid: z.string(),
  title: z.string(),
  message: z.string(),
  creator: z.int(),
  solver: z.int().nullable(),
  source: z.int(),
  queue: z.int(),
  status: z.literal([1, 2, 3, 4, 5]),
  classification: z.int().nullable(),
  external_id: z.string().nullable(),
  parent: z.int().nullable(),
  attachments: z.array(z.object(reference)),
  history: z.object({ messages: z.array(z.object({ user: z.string(), message: z.string() })) }),
  created: seconds,
  last_update: seconds,
});

export const reply: z.ZodType<Reply> = z.object({
  id: z.int(),
  hash_uuid: uuid,
  ticket: z.int(),
  creator: z.int(),
  message: z.string(),
  type: z.enum(["answer", "reply"]),
  attachments: z.array(z.object(reference)),
  created: seconds,
});

export const ticketEvent: z.ZodType<TicketEvent> = z.object({
  id: z.int(),
  action: z.string(),
  field: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  actor: z.int().nullable(),
  timestamp: seconds,
});

export const webhook: z.ZodType<Webhook> = z.object({
  id: z.int(),
  hash_uuid: uuid,
  item: z.enum(["alert", "ticket", "reply", "user", "media", "classification", "queue"]),
  url: z.string(),
  created: seconds,
});

export function pageOf<T>(item: z.ZodType<T>): z.ZodType<Page<T>> {
  return z.object({ data: z.array(item), hasMore: z.boolean() });
}
