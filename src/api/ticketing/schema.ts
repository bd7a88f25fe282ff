import { z } from "zod";
import {
  acceptAnything,
  acceptFilledText,
  identifier,
  listOf,
  acceptText,
  type OutputOf,
  booleanLike,
  skipEmpty,
  acceptRecord,
  wholeNumber,
} from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import { webhookItem } from "./answers.ts";

/** Shapes of requests. Unknown members have no effect. */

const extra = listOf(
  z.object({ id: wholeNumber, content: acceptText(LIMITS.answer) }),
  LIMITS.entries,
);

// A creator must be reachable by mail. Programs send this address; addresses that people type are
// read by src/locales/person.ts, and fit here. Only the mail server can judge the local part.
const address = acceptText(LIMITS.mailAddress)
  .transform((value) => value.trim())
  .refine((value) => /^[^\s@<>()[\]\\,;:"]+@[^\s@.]+(?:\.[^\s@.]+)*$/u.test(value), {
    error: "must be an e-mail address",
  });

const name = acceptFilledText(LIMITS.name);
const title = acceptText(LIMITS.title);
const message = acceptFilledText(LIMITS.ticketMessage);
const externalId = acceptText(LIMITS.externalId);
const attachments = listOf(identifier, LIMITS.attachments).optional();

export const newUser = z.object({ name, address, extra: extra.optional() });
export type NewUser = OutputOf<typeof newUser>;

/** The changeable fields of a user. `extra` replaces the fields that it names. */
export const userChange = z.object({
  name: name.optional(),
  address: address.optional(),
  extra: extra.optional(),
});
export type UserChange = OutputOf<typeof userChange>;

const priorMessage = z.object({
  user: acceptText(LIMITS.id),
  message: acceptText(LIMITS.priorLine),
});

const history = z.preprocess(
  // A bracketed form with an empty history sends none; PHP sends an empty list for an object.
  (value) => (Array.isArray(value) && value.length === 0 ? { messages: [] } : value),
  z.object({ messages: listOf(priorMessage, LIMITS.priorLines) }),
);

/** The conversation before the ticket, oldest line first. `message` has the same as one text. */
export const transcript = z.object({
  /** The conversation's address in the owner's own system. */
  link: skipEmpty(acceptText(LIMITS.address)),
  /** The number of earlier lines that were left out. */
  dropped: wholeNumber.default(0),
  lines: listOf(
    z.object({
      who: z.enum(["reader", "bot", "agent"]),
      /** An agent's name. */
      name: acceptText(LIMITS.name).default(""),
      message: acceptText(LIMITS.priorLine),
      /** Unix seconds. */
      created: wholeNumber,
    }),
    LIMITS.priorLines,
  ),
});
export type TicketTranscript = OutputOf<typeof transcript>;

export const newTicket = z.object({
  message,
  creator: identifier,
  title: skipEmpty(title),
  solver: skipEmpty(identifier),
  source: skipEmpty(wholeNumber),
  queue: skipEmpty(wholeNumber),
  classification: skipEmpty(wholeNumber),
  autoclassify: skipEmpty(booleanLike),
  external_id: skipEmpty(externalId),
  attachments,
  history: history.optional(),
  /** The person's language: a tag such as `pt-BR`. */
  language: skipEmpty(acceptText(LIMITS.id)),
  transcript: transcript.optional(),
});
export type TicketBody = OutputOf<typeof newTicket>;

const status = wholeNumber.pipe(z.literal([1, 2, 3, 4, 5]));

/** The changeable fields of a ticket. */
export const ticketChange = z.object({
  title: title.optional(),
  status: status.optional(),
  queue: wholeNumber.optional(),
  classification: wholeNumber.optional(),
  solver: identifier.optional(),
  external_id: externalId.optional(),
  /** The person who makes the change; the history names them. */
  actor: identifier.optional(),
});
export type TicketChange = OutputOf<typeof ticketChange>;

export const newReply = z.object({
  creator: identifier,
  message,
  attachments,
});
export type NewReply = OutputOf<typeof newReply>;

export const newMedia = z.object({
  /** The file's name, with its extension. */
  name: acceptFilledText(LIMITS.fileName),
  /** Base64. */
  content: z.string().max(LIMITS.fileContent),
});
export type NewMedia = OutputOf<typeof newMedia>;

export const newWebhook = z.object({
  item: webhookItem,
  /** An https address. */
  url: z.string().max(LIMITS.address),
  secret: z
    .string()
    .min(1)
    .max(LIMITS.secret)
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters"),
});
export type NewWebhook = OutputOf<typeof newWebhook>;

const clockTime = z
  .string()
  .max(5)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time such as 09:30");

const spans = listOf(z.object({ from: clockTime, to: clockTime }), LIMITS.entries);

const WEEKDAYS = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

/** Working hours and holidays of each queue. Times are HH:MM, dates YYYY-MM-DD. */
export const workTimetable = z.object({
  weeks: listOf(
    z.object({
      queueId: wholeNumber,
      Monday: spans.default([]),
      Tuesday: spans.default([]),
      Wednesday: spans.default([]),
      Thursday: spans.default([]),
      Friday: spans.default([]),
      Saturday: spans.default([]),
      Sunday: spans.default([]),
    }),
    LIMITS.entries,
  ).refine(
    (weeks) =>
      weeks.every((week) => WEEKDAYS.every((day) => week[day].every(({ from, to }) => from < to))),
    {
      error: "a span must end after it begins",
    },
  ),
  holidays: listOf(
    z.object({ queueId: wholeNumber, days: listOf(z.iso.date().max(10), LIMITS.entries) }),
    LIMITS.entries,
  ).default([]),
});
export type WorkTimetable = OutputOf<typeof workTimetable>;

export const survey = z.object({
  name,
  pages: listOf(
    z.object({
      id: wholeNumber,
      items: listOf(
        z.object({
          id: wholeNumber,
          type: acceptText(LIMITS.id),
          /** `header` is not a question. */
          subtype: acceptText(LIMITS.id),
          settings: acceptRecord(acceptAnything(LIMITS.answer)).default({}),
        }),
        LIMITS.entries,
      ),
    }),
    LIMITS.entries,
  ),
  settings: listOf(
    z.object({ subtype: acceptText(LIMITS.id), value: acceptAnything(LIMITS.answer) }),
    LIMITS.entries,
  ).default([]),
});
export type SurveyDefinition = OutputOf<typeof survey>;

/** A survey that was started. Its `token` submits it. */
export interface StartedSurvey extends Omit<SurveyDefinition, "name"> {
  readonly id: number;
  readonly token: string;
}

/** Shapes of queries. */

const page = {
  length: wholeNumber
    .optional()
    .meta({ description: "The most entries, 1 to 200; the default is 50" }),
  offset: wholeNumber.optional().meta({ description: "How many entries to skip" }),
};

/** The part of a list to return. Default: the first 50 records. */
export const paging = z.object(page);

/** Users whose fields have exactly these values. */
export const userListing = z.object({
  ...page,
  id: acceptText(LIMITS.id).optional(),
  hash_uuid: acceptText(LIMITS.id).optional(),
  name: acceptText(LIMITS.name).optional(),
  address: acceptText(LIMITS.mailAddress).optional(),
});

export const addressQuery = z.object({
  address: acceptText(LIMITS.mailAddress),
});

/** Filters of tickets: `iql`, or exact values. A `-` in `sort` reverses the order. */
export const ticketListing = z.object({
  ...page,
  iql: acceptText(LIMITS.query).optional().meta({
    description: "A query, such as `status IS NOT 5 AND title IS EMPTY`, instead of other filters",
  }),
  sort: z
    .enum(["id", "-id", "created", "-created", "last_update", "-last_update"])
    .optional()
    .meta({ description: "`-` reverses the order; the default is `id`" }),
  external_id: acceptText(LIMITS.externalId).optional(),
  creator: acceptText(LIMITS.id).optional(),
  solver: acceptText(LIMITS.id).optional(),
  parent: acceptText(LIMITS.id).optional(),
  queue: wholeNumber.optional(),
  status: wholeNumber.optional(),
  source: wholeNumber.optional(),
  classification: wholeNumber.optional(),
});
export type TicketListing = OutputOf<typeof ticketListing>;

/** Shapes of the smaller requests. */

export const newQueue = z.object({ name });

export const surveyStart = z.object({
  sourceType: z.literal("ticket"),
  sourceId: acceptText(LIMITS.id),
});

// A form encodes a survey without answers as nothing at all.
export const surveySubmission = z.object({
  token: acceptFilledText(LIMITS.secret),
  field_answers: acceptRecord(acceptText(LIMITS.answer)).default({}),
});
