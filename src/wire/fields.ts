import { z } from "zod";

/**
 * Readers of single values. Clients send numbers as text, booleans as numbers, and lists as objects with counting keys
 * (bracketed forms): what goes in is any of these, what comes out is one of them. The title is
 * what a caller should send: it stands in the published documentation.
 */

/** A whole number from 0 on, also as text. */
export const wholeNumber: z.ZodType<number> = z
  .union([z.int().min(0), z.string().regex(/^\s*\d{1,15}\s*$/, "must be a whole number")])
  .transform(Number)
  .meta({ title: "integer" });

/** true/false and 1/0, also as text in any letter case. */
export const truth: z.ZodType<boolean> = z
  .union([z.boolean(), z.literal([0, 1]), z.stringFormat("boolean", /^\s*(?:true|false|0|1)\s*$/i)])
  .transform((value) => ["true", "1"].includes(String(value).trim().toLowerCase()))
  .meta({ title: "boolean" });

/** A text; a number or boolean is taken as its text. */
export const text: z.ZodType<string> = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .meta({ title: "string" });

/** A text with something in it. */
export const filledText: z.ZodType<string> = text.refine((value) => value.trim() !== "", {
  error: "must not be empty",
});

/** An identifier: a whole number, the same as text, or a UUID, in lower case. Comes out as text. */
export const identifier: z.ZodType<string> = z
  .union([z.int().min(0), z.string()])
  .transform((value) => String(value).trim().toLowerCase())
  .refine((value) => /^(?:\d{1,15}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(value), {
    error: "must be a number or a UUID",
  })
  .meta({ title: "integer or UUID" });

/** A list; the values of an object with counting keys; one value alone is a list of one; empty text and null are none. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z.preprocess((value) => asList(value), z.array(item));
}

/** Numbers separated by commas, as in `categoryId=3,5`; a number alone, or a list of numbers. */
export const numberList: z.ZodType<readonly number[]> = z.preprocess(
  (value) =>
    typeof value === "string"
      ? value.split(",").filter((part) => part.trim() !== "")
      : asList(value),
  z.array(wholeNumber),
);

function asList(value: unknown): unknown {
  if (value === null || value === "") return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== "object") return [value];
  const entries = Object.entries(value);
  return entries.every(([key]) => /^\d+$/.test(key))
    ? entries.map(([, item]) => item as unknown)
    : value;
}
