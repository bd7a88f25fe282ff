import { z } from "zod";
import { anything, listOf, text, truth, valuesByName, wholeNumber } from "../fields.ts";
import { LIMITS } from "../limits.ts";

/**
 * Shapes of requests. Whatever is left out or unusable has its default; unknown members have no
 * effect.
 */

export const conversationStart: z.ZodType = z.object({
  lang: text(LIMITS.id).optional(),
  answers: z
    .object({
      answerAttributes: listOf(text(100), 50).optional(),
      sideBubbleAttributes: listOf(text(100), 50).optional(),
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
  message: text(LIMITS.question).optional(),
  option: z.union([z.int(), z.string().max(LIMITS.question)]).optional(),
  directCall: text(LIMITS.question).optional(),
});

const variable = { name: text(100), value: text(LIMITS.answer).nullable() };

export const oneVariable: z.ZodType = z.object(variable);

export const manyVariables: z.ZodType = z.object({
  variables: z.union([
    z.array(z.object(variable)).max(200),
    valuesByName(text(LIMITS.answer).nullable()),
  ]),
});

export const trackedEvent: z.ZodType = z.object({
  type: text(100),
  data: anything(LIMITS.answer).optional(),
});
