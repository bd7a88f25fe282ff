import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** The type of a schema's parsed values, with all members readonly. */
export type OutputOf<T extends z.ZodType> = DeepReadonly<z.output<T>>;

type DeepReadonly<T> = T extends object ? { readonly [name in keyof T]: DeepReadonly<T[name]> } : T;

/**
 * Schemas of single values. They accept the variants that clients send, such as numbers as text,
 * booleans as numbers, and lists as objects with numeric keys (bracketed forms), and parse each to
 * one type. The title in `meta` is the type that the API reference shows.
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

/** Accepts a text of at most `most` characters. A number or boolean is converted to text. */
export function acceptText(most: number): z.ZodType<string> {
  return z
    .union([z.string().max(most, describeTooLong(most)), z.number(), z.boolean()])
    .transform(String)
    .meta({ title: "string" });
}

/** Accepts a text that is not blank. */
export function acceptFilledText(most: number): z.ZodType<string> {
  return acceptText(most).refine((value) => value.trim() !== "", { error: "must not be empty" });
}

/** Accepts a text of at most `most` characters, or any other value whose JSON has at most so many. */
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

/** Counts the characters of a value's JSON; Infinity if it is nested too deeply to be encoded. */
export function measureJson(value: unknown): number {
  try {
    return JSON.stringify(value ?? null).length;
  } catch {
    return Infinity;
  }
}

/** Makes a value optional. An empty text or null counts as left out, because forms send those. */
export function skipEmpty<T extends z.ZodType>(schema: T) {
  return z.preprocess(dropEmpty, schema.optional());
}

export function dropEmpty(value: unknown): unknown {
  return value === "" || value === null ? undefined : value;
}

/** Formats a number for English readers, such as 7,340,032. */
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
 * Accepts a list. An object with numeric keys becomes a list, a single value a list of one, and an
 * empty text or null an empty list. Only the first entries of a list that is too long are checked.
 */
export function listOf<T>(item: z.ZodType<T>, most: number): z.ZodType<readonly T[]> {
  return z.preprocess((value) => cut(toList(value), most), entriesOf(item, most));
}

/** A list of numbers, a single number, or numbers separated by commas, as in `categoryId=3,5`. */
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

/** Cuts a list to one entry more than allowed, which is enough for a refusal. */
function cut(value: unknown, most: number): unknown {
  return Array.isArray(value) ? value.slice(0, most + 1) : value;
}

/** Accepts an object of at most {@link LIMITS.entries} values. */
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
