import { z } from "zod";
import { listOf, text, truth, wholeNumber } from "../fields.ts";

/** Shapes of requests. Whatever is left out or unusable has its default; unknown members have no effect. */

export const conversationStart: z.ZodType = z.object({
  lang: text.optional(),
  answers: z
    .object({
      answerAttributes: listOf(text).optional(),
      sideBubbleAttributes: listOf(text).optional(),
      maxOptions: wholeNumber.optional(),
      maxRelatedContents: wholeNumber.optional(),
      skipLastCheckQuestion: truth.optional(),
    })
    .optional(),
  forms: z
    .object({ allowUserToAbandonForm: truth.optional(), errorRetries: wholeNumber.optional() })
    .optional(),
});

/** Only one member takes effect: `directCall` before `option` before `message`. */
export const turn: z.ZodType = z.object({
  message: text.optional(),
  option: z.union([z.int(), z.string()]).optional(),
  directCall: text.optional(),
});

const variable = { name: text, value: text.nullable() };

export const oneVariable: z.ZodType = z.object(variable);

export const manyVariables: z.ZodType = z.object({
  variables: z.union([z.array(z.object(variable)), z.record(z.string(), text.nullable())]),
});

export const trackedEvent: z.ZodType = z.object({ type: text, data: z.unknown().optional() });
