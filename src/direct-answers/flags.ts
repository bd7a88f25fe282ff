import { FLAG_ALIASES, FLAGS, type Flag } from "./flag-names.ts";

export { FLAGS, type Flag } from "./flag-names.ts";
// Documentation of the flags stays apart: a bundle for the edge leaves it out.
export { FLAG_FACTS, type FlagFacts } from "./flag-facts.ts";

const byName: ReadonlyMap<string, Flag> = new Map([
  ...FLAGS.map((name): [string, Flag] => [name, name]),
  ...FLAG_ALIASES,
]);

/**
 * The flag that a member of `flags` or a YAML key names, or null for anything else. Exact spelling;
 * the old name `conversation-link` is follow-up-question.
 *
 * @example
 * toFlag("conversation-link"); // "follow-up-question"
 * toFlag("no-rating"); // null: a flag of the engine, but no direct answer
 */
export function toFlag(name: string): Flag | null {
  return byName.get(name) ?? null;
}
