import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** The type of the values that a schema gives, with all members readonly. */
export type OutputOf<T extends z.ZodType> = DeepReadonly<z.output<T>>;

type DeepReadonly<T> = T extends object ? { readonly [name in keyof T]: DeepReadonly<T[name]> } : T;

/**
 * Schemas of single values. They accept what clients send: numbers as text, booleans as numbers,
 * and lists as objects with numeric keys (bracketed forms). Each gives values of one type. In the
 * published documentation, the title names what a caller should send.
 */

/** A whole number from 0 on, also as text. */
export const wholeNumber: z.ZodType<number> = z
  .union([
    z.int().min(0, "must not be negative"),
    z
      .string()
      .max(40)
      .regex(/^\s*\d{1,15}\s*$/, "must be a whole number"),
  ])
  .transform(Number)
  .meta({ title: "integer" });

/** true/false and 1/0, also as text in any letter case. */
export const booleanLike: z.ZodType<boolean> = z
  .union([
    z.boolean(),
    z.literal([0, 1]),
    z
      .string()
      .max(40)
      .regex(/^\s*(?:true|false|0|1)\s*$/i, "must be true or false"),
  ])
  .transform((value) => ["true", "1"].includes(String(value).trim().toLowerCase()))
  .meta({ title: "boolean" });

/** A text of at most `most` characters; a number or boolean is taken as its text. */
export function acceptText(most: number): z.ZodType<string> {
  return z
    .union([z.string().max(most, describeTooLong(most)), z.number(), z.boolean()])
    .transform(String)
    .meta({ title: "string" });
}

/** A text that is not blank. */
export function acceptFilledText(most: number): z.ZodType<string> {
  return acceptText(most).refine((value) => value.trim() !== "", { error: "must not be empty" });
}

/** Any value of at most `most` characters, counted in a text itself or else in the value's JSON. */
export function acceptAnything(most: number): z.ZodType {
  return z
    .unknown()
    .refine((value) => (typeof value === "string" ? value.length : measureJson(value)) <= most, {
      error: describeTooLong(most),
    })
    .meta({ description: `at most ${formatNumber(most)} characters` });
}

/** Says that a value has more than `most` characters. */
export function describeTooLong(most: number): string {
  return `is longer than ${formatNumber(most)} characters`;
}

/** Counts the characters of a value as JSON; Infinity when it is nested too deep to be written. */
export function measureJson(value: unknown): number {
  try {
    return JSON.stringify(value ?? null).length;
  } catch {
    return Infinity;
  }
}

/** Makes a value optional; an empty one, as forms send it, counts as left out. */
export function skipEmpty<T extends z.ZodType>(schema: T) {
  return z.preprocess(dropEmpty, schema.optional());
}

export function dropEmpty(value: unknown): unknown {
  return value === "" || value === null ? undefined : value;
}

/** Writes a number for English readers: 7,340,032. */
export function formatNumber(count: number): string {
  return count.toLocaleString("en");
}

/** A whole number, also as text, or a UUID in any letter case. It is parsed to lower-case text. */
export const identifier: z.ZodType<string> = z
  .union([z.int().min(0), z.string().max(LIMITS.id)])
  .transform((value) => String(value).trim().toLowerCase())
  .refine((value) => /^(?:\d{1,15}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(value), {
    error: "must be a number or a UUID",
  })
  .meta({ title: "integer or UUID" });

/**
 * A list. An object with numeric keys becomes a list, a single value becomes a list of one, and ""
 * or null becomes an empty list. A list that is too long is cut before it is refused.
 */
export function listOf<T>(item: z.ZodType<T>, most: number): z.ZodType<readonly T[]> {
  return z.preprocess((value) => cut(toList(value), most), entriesOf(item, most));
}

/** Numbers separated by commas, as in `categoryId=3,5`; a number alone, or a list of numbers. */
export const numberList: z.ZodType<readonly number[]> = z.preprocess(
  (value) =>
    cut(
      typeof value === "string"
        ? value.split(",").filter((part) => part.trim() !== "")
        : toList(value),
      LIMITS.entries,
    ),
  entriesOf(wholeNumber, LIMITS.entries),
);

function entriesOf<T>(item: z.ZodType<T>, most: number): z.ZodType<T[]> {
  return z.array(item).max(most, `has more than ${formatNumber(most)} entries`);
}

/** Cuts a list to one entry too many, which is enough to refuse it. */
function cut(value: unknown, most: number): unknown {
  return Array.isArray(value) ? value.slice(0, most + 1) : value;
}

/** Values by name, at most {@link LIMITS.entries} of them. */
export function acceptRecord<T>(
  value: z.ZodType<T>,
  name: z.ZodType<string, string> = z.string().max(LIMITS.id),
): z.ZodType<Readonly<Record<string, T>>> {
  const most = LIMITS.entries;
  return z
    .record(name, value)
    .refine((record) => Object.keys(record).length <= most, {
      error: `has more than ${formatNumber(most)} entries`,
    })
    .meta({ maxProperties: most });
}

function toList(value: unknown): unknown {
  // A missing list is not a list with a missing entry.
  if (value === undefined) return undefined;
  if (value === null || value === "") return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== "object") return [value];
  const entries = Object.entries(value);
  return entries.every(([key]) => /^\d+$/.test(key))
    ? entries.map(([, item]) => item as unknown)
    : value;
}
