import type { SearchResult } from "../../matching/types.ts";
import type { Session } from "../storage/types.ts";

/** Names that belong to the engine: clients read them and can't set them. */
export function isSystemVariable(name: string): boolean {
  return name.startsWith("sys_");
}

const beforeAnyQuestion: readonly (readonly [string, string])[] = [
  ["sys_unknown_words_percentage", "0"],
  ["sys_input_total_semantic_weight", "0.00"],
  ["sys_input_total_semantic_weight_range", "low"],
  ["sys_max_result_score", "0.000"],
];

/** Returns the session with the result of its last question. */
export function withMatch(session: Session, { hits, unknownWords, weight }: SearchResult): Session {
  const measured: readonly (readonly [string, string])[] = [
    ["sys_unknown_words_percentage", String(Math.round(unknownWords * 100))],
    ["sys_input_total_semantic_weight", weight.toFixed(2)],
    ["sys_input_total_semantic_weight_range", toWeightRange(weight)],
    ["sys_max_result_score", (hits[0]?.score ?? 0).toFixed(3)],
  ];
  return { ...session, variables: [...new Map([...session.variables, ...measured])] };
}

/** All variables of a session, the engine's own among them, by name. */
export function variablesOf(session: Session): ReadonlyMap<string, string> {
  return new Map([
    ...beforeAnyQuestion,
    ...session.variables,
    ["sys_unanswered_consecutive", String(session.unanswered)] as const,
  ]);
}

// Roughly one, two, and more than two telling words.
function toWeightRange(weight: number): string {
  if (weight < 3) return "low";
  return weight < 6 ? "medium" : "high";
}
