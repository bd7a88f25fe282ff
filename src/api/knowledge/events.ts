import { z } from "zod";
import {
  acceptAnything,
  acceptFilledText,
  type OutputOf,
  acceptText,
  wholeNumber,
} from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";

/** The members of `data` that the service uses. It stores all others, too. */
export interface KnowledgeEventData {
  /** A `clickCode`, `rateCode`, `searchCode` or `externalCode` of an answer. */
  readonly code?: string | undefined;
  /** The code of the clicked content in the other instance. */
  readonly externalCode?: string | undefined;
  /** Id of a rating. */
  readonly value?: string | null | undefined;
  readonly comment?: string | null | undefined;
  readonly query?: string | undefined;
  readonly contentId?: number | undefined;
  /** Id of a user question. */
  readonly id?: number | undefined;
  readonly language?: string | undefined;
}

const code = acceptFilledText(LIMITS.address).describe(
  "A `clickCode`, `rateCode`, `searchCode` or `externalCode` of an answer",
);
const query = acceptText(LIMITS.query).describe("What the reader searched for");
const comment = z
  .union([acceptText(LIMITS.answer), z.null()])
  .transform((value) => (value === null || value.trim() === "" ? null : value))
  .optional()
  .describe("The reader's own words");
const ratingId = "Id of the rating, such as 1";
const value = z
  .union([acceptFilledText(100), z.null()])
  .optional()
  .describe(ratingId);
const rating = z.object({ code, value: acceptFilledText(100).describe(ratingId), comment });
const contentId = wholeNumber.describe("Id of the content that the reader chose");
// The specification names these types without payloads, so no member is required (seed.md 6.3).
const optionalData = z.object({
  code: code.optional(),
  query: query.optional(),
  id: wholeNumber.optional().describe("Id of a user question"),
  language: acceptFilledText(35).optional().describe("The language that was detected"),
});

const externalCode = code.optional().describe("Code of the content in the other instance");

/** The shape of `data` of each type that has one. */
export const EVENT_DATA: ReadonlyMap<string, z.ZodType<KnowledgeEventData>> = new Map<
  string,
  z.ZodType<KnowledgeEventData>
>([
  ["click", z.object({ code, value, comment })],
  ["rate", rating],
  ["search_rate", rating],
  ["autocompleter_click", z.object({ query: query.optional(), contentId })],
  ["external_click", z.object({ code, externalCode })],
  ["contact_click", optionalData],
  ["instant_search", optionalData],
  ["instant_click", optionalData],
  ["contact_search", optionalData],
  ["click_user_question", optionalData],
  ["language-detector", optionalData],
]);

/** POST /tracking/events: `{type, data}`. Types outside {@link EVENT_DATA} are kept as sent. */
export const eventRequest = z.object({
  type: z
    .string()
    .max(LIMITS.id)
    .transform((name) => name.trim())
    .refine((name) => /^[^\p{C}]{1,100}$/u.test(name), {
      error: "must have up to 100 characters, none of them a control character",
    })
    .describe("One of these types, or a name of your own"),
  data: acceptAnything(20_000).optional(),
});
export type KnowledgeEvent = OutputOf<typeof eventRequest>;

const eventTypes = `One of ${[...EVENT_DATA.keys()].map((type) => `\`${type}\``).join(", ")}, or a name of your own`;

/** The same request with the shape of each type, for the documentation. */
export const publishedEvent: z.ZodType<KnowledgeEvent> = z.union([
  ...[...EVENT_DATA].map(([type, data]) =>
    z.object({
      // With a title, the reference does not say that the type is always this one.
      type: z.literal(type).meta({ title: "string", description: eventTypes }),
      data: data.describe("The fields of this type"),
    }),
  ),
  eventRequest,
]);
