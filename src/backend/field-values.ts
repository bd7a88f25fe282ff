import { isObject, isRecord } from "../json/values.ts";
/** Lenient readers: clients send numbers as text, booleans as numbers, lists as objects. */

/** A string as it is; a number or boolean as text; anything else is null. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** A whole number from 0 on, also as text; anything else is null. */
export function countOf(value: unknown): number | null {
  const text = textOf(value)?.trim() ?? "";
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(count) ? count : null;
}

/** true/false and 1/0, also as text in any case; anything else is null. */
export function booleanOf(value: unknown): boolean | null {
  const text = textOf(value)?.trim().toLowerCase() ?? "";
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : null;
}

/** The members of an object; empty for anything else. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isRecord(value) ? Object.entries(value) : []);
}

/** Elements of an array or values of an object (lists in forms); a bare text is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isObject(value)) return Object.values(value);
  return textOf(value) === null ? [] : [value];
}
