import { z } from "zod";
import {
  anything,
  filledText,
  identifier,
  listOf,
  text,
  truth,
  valuesByName,
  wholeNumber,
} from "../fields.ts";
import { LIMITS } from "../limits.ts";
import type { ExtraField, NewMedia, NewReply, NewTicket, NewUser, NewWebhook } from "./types.ts";
import type {
  PriorMessage,
  SurveyDefinition,
  TicketChange,
  TicketStatus,
  UserChange,
} from "./types.ts";
import type { PageRequest, TicketListing, UserListing, Weekday, WorkTimetable } from "./types.ts";

/** Shapes of requests. Unknown members are let through and have no effect. */

const extra: z.ZodType<readonly ExtraField[]> = listOf(
  z.object({ id: wholeNumber, content: text(LIMITS.answer) }),
  LIMITS.entries,
);

// Whoever cannot be written to is no use as a creator. The local part is the mail server's to
// judge.
const address: z.ZodType<string> = text(LIMITS.mailAddress)
  .transform((value) => value.trim())
  .refine((value) => /^[^\s@<>()[\]\\,;:"]+@[^\s@.]+(?:\.[^\s@.]+)*$/u.test(value), {
    error: "must be an e-mail address",
  });

const name = filledText(LIMITS.name);
const title = text(LIMITS.title);
const message = filledText(LIMITS.ticketMessage);
const externalId = text(LIMITS.externalId);
const attachments = listOf(identifier, LIMITS.attachments).optional();

export const newUser: z.ZodType<NewUser> = z.object({ name, address, extra: extra.optional() });

export const userChange: z.ZodType<UserChange> = z.object({
  name: name.optional(),
  address: address.optional(),
  extra: extra.optional(),
});

const priorMessage: z.ZodType<PriorMessage> = z.object({
  user: text(LIMITS.id),
  message: text(LIMITS.priorLine),
});

const history = z.preprocess(
  // A bracketed form whose history is empty sends none; PHP sends an empty list for an empty
  // object.
  (value) => (Array.isArray(value) && value.length === 0 ? { messages: [] } : value),
  z.object({ messages: listOf(priorMessage, LIMITS.priorLines) }),
);

// A form leaves a value empty where JSON would leave it out.
function unlessEmpty<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return z.preprocess(
    (value) => (value === "" || value === null ? undefined : value),
    schema.optional(),
  );
}

export const newTicket: z.ZodType<NewTicket> = z.object({
  message,
  creator: identifier,
  title: unlessEmpty(title),
  solver: unlessEmpty(identifier),
  source: unlessEmpty(wholeNumber),
  queue: unlessEmpty(wholeNumber),
  classification: unlessEmpty(wholeNumber),
  autoclassify: unlessEmpty(truth),
  external_id: unlessEmpty(externalId),
  attachments,
  history: history.optional(),
});

const status: z.ZodType<TicketStatus> = wholeNumber.pipe(z.literal([1, 2, 3, 4, 5]));

export const ticketChange: z.ZodType<TicketChange> = z.object({
  title: title.optional(),
  status: status.optional(),
  queue: wholeNumber.optional(),
  classification: wholeNumber.optional(),
  solver: identifier.optional(),
  external_id: externalId.optional(),
  actor: identifier.optional(),
});

export const newReply: z.ZodType<NewReply> = z.object({
  creator: identifier,
  message,
  attachments,
});

export const newMedia: z.ZodType<NewMedia> = z.object({
  name: filledText(LIMITS.fileName),
  content: z.string().max(LIMITS.fileContent),
});

export const newWebhook: z.ZodType<NewWebhook> = z.object({
  item: z.enum(["alert", "ticket", "reply", "user", "media", "classification", "queue"]),
  url: z.string().max(LIMITS.address),
  secret: z
    .string()
    .min(1)
    .max(LIMITS.secret)
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters"),
});

const clockTime = z
  .string()
  .max(5)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time such as 09:30");

const spans = listOf(z.object({ from: clockTime, to: clockTime }), LIMITS.entries);

const weekdays: readonly Weekday[] = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
];

export const workTimetable: z.ZodType<WorkTimetable> = z.object({
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
      weeks.every((week) => weekdays.every((day) => week[day].every(({ from, to }) => from < to))),
    {
      error: "a span must end after it begins",
    },
  ),
  holidays: listOf(
    z.object({ queueId: wholeNumber, days: listOf(z.iso.date().max(10), LIMITS.entries) }),
    LIMITS.entries,
  ).default([]),
});

export const survey: z.ZodType<SurveyDefinition> = z.object({
  name,
  pages: listOf(
    z.object({
      id: wholeNumber,
      items: listOf(
        z.object({
          id: wholeNumber,
          type: text(LIMITS.id),
          subtype: text(LIMITS.id),
          settings: valuesByName(anything(LIMITS.answer)).default({}),
        }),
        LIMITS.entries,
      ),
    }),
    LIMITS.entries,
  ),
  settings: listOf(
    z.object({ subtype: text(LIMITS.id), value: anything(LIMITS.answer) }),
    LIMITS.entries,
  ).default([]),
});

/** Shapes of queries. */

const page = { length: wholeNumber.optional(), offset: wholeNumber.optional() };

export const paging: z.ZodType<PageRequest> = z.object(page);

export const userListing: z.ZodType<UserListing> = z.object({
  ...page,
  id: text(LIMITS.id).optional(),
  hash_uuid: text(LIMITS.id).optional(),
  name: text(LIMITS.name).optional(),
  address: text(LIMITS.mailAddress).optional(),
});

export const addressQuery: z.ZodType<{ readonly address: string }> = z.object({
  address: text(LIMITS.mailAddress),
});

export const ticketListing: z.ZodType<TicketListing> = z.object({
  ...page,
  iql: text(LIMITS.query).optional(),
  sort: z.enum(["id", "-id", "created", "-created", "last_update", "-last_update"]).optional(),
  external_id: text(LIMITS.externalId).optional(),
  creator: text(LIMITS.id).optional(),
  solver: text(LIMITS.id).optional(),
  parent: text(LIMITS.id).optional(),
  queue: wholeNumber.optional(),
  status: wholeNumber.optional(),
  source: wholeNumber.optional(),
  classification: wholeNumber.optional(),
});

/** Shapes of the smaller requests. */

export const newQueue: z.ZodType<{ readonly name: string }> = z.object({ name });

export const surveyStart: z.ZodType<{ readonly sourceType: "ticket"; readonly sourceId: string }> =
  z.object({ sourceType: z.literal("ticket"), sourceId: text(LIMITS.id) });

// A survey without a single answer comes out of a form as nothing at all.
export const surveySubmission: z.ZodType<{
  readonly token: string;
  readonly field_answers: Readonly<Record<string, string>>;
}> = z.object({
  token: filledText(LIMITS.secret),
  field_answers: valuesByName(text(LIMITS.answer)).default({}),
});
