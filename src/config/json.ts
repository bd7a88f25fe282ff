import type { JsonValue } from "./config.ts";

/** Converts a value of YAML to JSON. Values that JSON lacks (NaN, undefined) become null. */
export function toJson(value: unknown): JsonValue {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]));
}

/** Freezes a value and everything in it. Shared parts are visited once. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  // Most values are strings, and calls for them would take most of the time.
  for (const inner of Object.values(value)) if (typeof inner === "object") freezeDeep(inner);
  return value;
}
