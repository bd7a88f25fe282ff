import { z } from "zod";
import { longerThan, text } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { isRecord } from "../read.ts";
import type { NumberOrText } from "./types.ts";

/** Readers of single values of the live chat. */

/** An id as it comes in a body or a query: text, or a number taken as its text. */
export const chatId: z.ZodType<string> = text(LIMITS.id).refine((value) => value.trim() !== "", {
  error: "must be an id of at most 200 characters",
});

/**
 * A room's id. Availability is asked for by several with commas between them, so that none may have
 * one.
 */
export const roomId: z.ZodType<string> = chatId
  .transform((value) => value.trim())
  .refine((value) => !value.includes(","), { error: "must not have a comma" });

/** Ids separated by commas, or a list of them. */
export const idList: z.ZodType<readonly string[]> = z.preprocess(
  (value) =>
    (Array.isArray(value) ? value : [value])
      .flatMap((one: unknown) => (typeof one === "string" ? one.split(",") : [one]))
      .map((one) => (typeof one === "string" ? one.trim() : one))
      .filter((one) => one !== "")
      .slice(0, LIMITS.entries + 1),
  z.array(chatId).max(LIMITS.entries),
);

/** A number or a text, which comes back as what it was (row 23 of the spellings). */
export const numberOrText: z.ZodType<NumberOrText> = z
  .union([z.number(), z.string().max(LIMITS.id)])
  .refine((value) => String(value).trim() !== "" && String(value).length <= 200, {
    error: "must be a number or a text of at most 200 characters",
  });

export const externalId: z.ZodType<string> = text(LIMITS.externalId);

/**
 * An object of at most 64 KB, which comes back with every key that it came with, `__proto__` among
 * them. PHP sends an empty list for an empty object.
 */
export const extraInfo: z.ZodType<Readonly<Record<string, unknown>>> = z
  .preprocess(
    (value) => (value === null || (Array.isArray(value) && value.length === 0) ? {} : value),
    z
      .custom<Readonly<Record<string, unknown>>>(
        (value) => isRecord(value) && !Array.isArray(value),
        "must be an object",
      )
      .refine((value) => JSON.stringify(value).length <= 65_536, {
        error: longerThan(65_536),
      }),
  )
  .meta({ title: "object", description: "at most 65,536 characters as JSON" });

/**
 * When something was said, as milliseconds since the epoch. Written in Unix seconds; some
 * transcripts have milliseconds or a date instead (chat.md 5).
 */
export const moment: z.ZodType<number> = z
  .union([z.number(), z.string().max(40)])
  .transform((value) => {
    const number = Number(value);
    if (Number.isNaN(number)) return Date.parse(String(value));
    return number < 100_000_000_000 ? number * 1000 : number;
  })
  .refine((value) => Number.isFinite(value) && value >= 0 && value < 8_640_000_000_000_000, {
    error: "must be a time in Unix seconds",
  })
  .transform((value) => Math.floor(value));

/** A value left empty is a value left out. */
export function unlessEmpty<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return z.preprocess(
    (value) => (value === "" || value === null ? undefined : value),
    schema.optional(),
  );
}
