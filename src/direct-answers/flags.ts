// Documentation of the flags stays apart: a bundle for the edge leaves it out.
export { FLAG_FACTS, type FlagFacts } from "./flag-facts.ts";

/** The name of a direct answer as the engine puts it into `flags`. */
export type Flag =
  | "all-options-discarded"
  | "character-limit-exceeded"
  | "conversation-error-message"
  | "end-form"
  | "follow-up-question"
  | "form-continue"
  | "form-retry"
  | "generic-error-message"
  | "multiple-options"
  | "no-question"
  | "no-results"
  | "no-subset-match"
  | "refinement"
  | "webhook-bad-request"
  | "webhook-wrong-field"
  | "welcome";

/** The 16 flag names, in the specification's order. */
export const FLAGS: readonly Flag[] = Object.freeze([
  "all-options-discarded",
  "character-limit-exceeded",
  "conversation-error-message",
  "end-form",
  "follow-up-question",
  "form-continue",
  "form-retry",
  "generic-error-message",
  "multiple-options",
  "no-question",
  "no-results",
  "no-subset-match",
  "refinement",
  "webhook-bad-request",
  "webhook-wrong-field",
  "welcome",
] as const satisfies readonly Flag[]);

/** Earlier names of flags: accepted on the wire and, with a warning, in YAML. `FLAG_FACTS` says the same. */
const aliases: readonly (readonly [string, Flag])[] = [["conversation-link", "follow-up-question"]];

const byName: ReadonlyMap<string, Flag> = new Map([
  ...FLAGS.map((name): [string, Flag] => [name, name]),
  ...aliases,
]);

/**
 * The flag that a member of `flags` or a YAML key names, or null for anything else. Exact spelling; the old name
 * `conversation-link` is follow-up-question.
 *
 * @example
 * toFlag("conversation-link"); // "follow-up-question"
 * toFlag("no-rating"); // null: a flag of the engine, but no direct answer
 */
export function toFlag(name: string): Flag | null {
  return byName.get(name) ?? null;
}
