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
  z.object({
    id: wholeNumber.describe("A number that your project gives the field"),
    content: acceptText(LIMITS.answer).describe("The field's value"),
  }),
  LIMITS.entries,
)
  .optional()
  .describe("Further fields of the user");

// A creator must be reachable by mail. Programs send this address; addresses that people type are
// read by src/locales/person.ts, and fit here. Only the mail server can judge the local part.
const address = acceptText(LIMITS.mailAddress)
  .transform((value) => value.trim())
  .refine((value) => /^[^\s@<>()[\]\\,;:"]+@[^\s@.]+(?:\.[^\s@.]+)*$/u.test(value), {
    error: "must be an e-mail address",
  })
  .meta({ description: "E-mail address", examples: ["ana@example.com"] });

const name = acceptFilledText(LIMITS.name);
const title = acceptText(LIMITS.title);
const message = acceptFilledText(LIMITS.ticketMessage);
const externalId = acceptText(LIMITS.externalId).describe("The id in a program of your own");
const attachments = listOf(identifier, LIMITS.attachments)
  .optional()
  .describe("Ids of uploaded files");
const queue = wholeNumber.describe("Number of a queue; the default is 1");
const solver = identifier.describe("Id of the user who works on the ticket");
const classification = wholeNumber.describe("A number that your project gives a kind of tickets");

export const newUser = z.object({ name, address, extra });
export type NewUser = OutputOf<typeof newUser>;

/** The changeable fields of a user. `extra` replaces the fields that it names. */
export const userChange = z.object({
  name: name.optional(),
  address: address.optional(),
  extra,
});
export type UserChange = OutputOf<typeof userChange>;

const priorMessage = z.object({
  user: acceptText(LIMITS.id).describe("`assistant` for the bot, else `user`"),
  message: acceptText(LIMITS.priorLine),
});

const history = z.preprocess(
  // A bracketed form with an empty history sends none; PHP sends an empty list for an object.
  (value) => (Array.isArray(value) && value.length === 0 ? { messages: [] } : value),
  z.object({
    messages: listOf(priorMessage, LIMITS.priorLines).describe("The lines, the oldest first"),
  }),
);

/** The conversation before the ticket, oldest line first. `message` has the same as one text. */
export const transcript = z.object({
  link: skipEmpty(acceptText(LIMITS.address)).describe(
    "The conversation's address in a program of your own",
  ),
  dropped: wholeNumber.default(0).describe("How many earlier lines were left out"),
  lines: listOf(
    z.object({
      who: z.enum(["reader", "bot", "agent"]).describe("Who said it"),
      name: acceptText(LIMITS.name).default("").describe("The name of an agent"),
      message: acceptText(LIMITS.priorLine),
      created: wholeNumber.describe("Unix seconds"),
    }),
    LIMITS.priorLines,
  ).describe("The lines, the oldest first"),
});
export type TicketTranscript = OutputOf<typeof transcript>;

export const newTicket = z.object({
  message: message.describe("HTML"),
  creator: identifier.describe("Id of the user whose ticket it is"),
  title: skipEmpty(title),
  solver: skipEmpty(solver),
  source: skipEmpty(wholeNumber).describe("Where it comes from, as a number of your project"),
  queue: skipEmpty(queue),
  classification: skipEmpty(classification),
  autoclassify: skipEmpty(booleanLike).describe(
    "Asks the service to classify the ticket; the embedded backend does not",
  ),
  external_id: skipEmpty(externalId),
  attachments,
  history: history.optional().describe("The conversation before the ticket"),
  language: skipEmpty(acceptText(LIMITS.id)).describe("The person's language, such as `pt-BR`"),
  transcript: transcript
    .optional()
    .describe("The conversation in parts, which the desk shows in place of `message`"),
});
export type TicketBody = OutputOf<typeof newTicket>;

const status = wholeNumber
  .pipe(z.literal([1, 2, 3, 4, 5]))
  .describe("1 (new), 2 (open), 3 (pending), 4 (solved) or 5 (closed)");

/** The changeable fields of a ticket. */
export const ticketChange = z.object({
  title: title.optional(),
  status: status.optional(),
  queue: queue.optional().describe("Number of a queue"),
  classification: classification.optional(),
  solver: solver.optional(),
  external_id: externalId.optional(),
  actor: identifier.optional().describe("Id of the user who makes the change, for the history"),
});
export type TicketChange = OutputOf<typeof ticketChange>;

export const newReply = z.object({
  creator: identifier.describe("Id of the user who writes it"),
  message: message.describe("HTML"),
  attachments,
});
export type NewReply = OutputOf<typeof newReply>;

export const newMedia = z.object({
  name: acceptFilledText(LIMITS.fileName).meta({
    description: "The file's name, with its extension",
    examples: ["note.txt"],
  }),
  content: z
    .string()
    .max(LIMITS.fileContent)
    .meta({ description: "The file as Base64", examples: ["SGVsbG8="] }),
});
export type NewMedia = OutputOf<typeof newMedia>;

export const newWebhook = z.object({
  item: webhookItem.describe("The kind of items whose changes are sent"),
  url: z.string().max(LIMITS.address).describe("An https address, whose host is allowed"),
  secret: z
    .string()
    .min(1)
    .max(LIMITS.secret)
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters")
    .describe("A text that every delivery carries as `X-Hook-Signature`"),
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

const queueId = wholeNumber.describe("Number of a queue");

/** Working hours and holidays of each queue. Times are HH:MM, dates YYYY-MM-DD. */
export const workTimetable = z.object({
  weeks: listOf(
    z.object({
      queueId,
      Monday: spans.default([]),
      Tuesday: spans.default([]),
      Wednesday: spans.default([]),
      Thursday: spans.default([]),
      Friday: spans.default([]),
      Saturday: spans.default([]),
      Sunday: spans.default([]),
    }),
    LIMITS.entries,
  )
    .refine(
      (weeks) =>
        weeks.every((week) =>
          WEEKDAYS.every((day) => week[day].every(({ from, to }) => from < to)),
        ),
      {
        error: "a span must end after it begins",
      },
    )
    .describe("The working hours of each queue"),
  holidays: listOf(
    z.object({
      queueId,
      days: listOf(z.iso.date().max(10), LIMITS.entries).describe("Days without working hours"),
    }),
    LIMITS.entries,
  )
    .default([])
    .describe("The holidays of each queue"),
});
export type WorkTimetable = OutputOf<typeof workTimetable>;

export const survey = z.object({
  name,
  pages: listOf(
    z.object({
      id: wholeNumber.describe("Number of the page"),
      items: listOf(
        z.object({
          id: wholeNumber.describe("Number of the question, by which answers name it"),
          type: acceptText(LIMITS.id).describe("A word for your page, such as `text`"),
          subtype: acceptText(LIMITS.id).describe(
            "A word for your page, such as `input`; `header` is not a question",
          ),
          settings: acceptRecord(acceptAnything(LIMITS.answer))
            .default({})
            .describe("Any names and values, for your page"),
        }),
        LIMITS.entries,
      ).describe("The questions of the page"),
    }),
    LIMITS.entries,
  ).describe("The pages, in their order"),
  settings: listOf(
    z.object({
      subtype: acceptText(LIMITS.id).describe("The setting's name: `url` is the survey's address"),
      value: acceptAnything(LIMITS.answer),
    }),
    LIMITS.entries,
  )
    .default([])
    .describe("Settings of the survey, for your page"),
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
  address: acceptText(LIMITS.mailAddress).meta({
    description: "E-mail address, in any letter case",
    examples: ["ana@example.com"],
  }),
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
  sourceType: z.literal("ticket").describe("The kind of item that the survey is about"),
  sourceId: acceptText(LIMITS.id).describe("Id of the ticket"),
});

// A form encodes a survey without answers as nothing at all.
export const surveySubmission = z.object({
  token: acceptFilledText(LIMITS.secret).describe("The token from the start of the survey"),
  field_answers: acceptRecord(acceptText(LIMITS.answer))
    .default({})
    .describe("The answers by the id of their question"),
});
