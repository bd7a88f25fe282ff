import type { z } from "zod";

/** Describes mistakes for which a schema has no sentence, as its error map. */
export function describeMistake(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "custom") return undefined;
  if (issue.input === undefined) return "is missing";
  if (issue.code === "invalid_type") {
    return `must be ${NAMES.get(issue.expected) ?? issue.expected}`;
  }
  if (issue.code === "invalid_value") return `must be among ${issue.values.join(", ")}`;
  if (issue.code === "invalid_key") return issue.issues[0]?.message;
  if (issue.code !== "invalid_union") return undefined;
  if ("options" in issue && Array.isArray(issue.options)) {
    return `must be among ${issue.options.join(", ")}`;
  }
  // The first form of a union is the usual one.
  return issue.errors[0]?.[0]?.message;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["record", "an object"],
  ["array", "a list"],
]);
