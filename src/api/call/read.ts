import { isObject } from "../../json/values.ts";

// These functions read members of answers. They return an empty value for a member that is missing
// or has another type.

/** A member of an object, or null for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** Reads a member that is a non-empty text, or a number as text. */
export function readTextMember(value: unknown, name: string): string | null {
  const member = memberOf(value, name);
  if (typeof member === "number") return String(member);
  return typeof member === "string" && member !== "" ? member : null;
}

/** Reads a finite number, also from text. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Reads a member that is a list; empty for anything else. */
export function readListMember(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

/** Types an answer as documented, unchecked: a service may leave out or add members. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the shape
export function trustAnswer<T>(value: unknown): T {
  // No other function trusts an answer's shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value as T;
}
