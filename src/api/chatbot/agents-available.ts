/**
 * The conversation variable by which clients tell the engine whether agents are there (chatbot.md,
 * 7.2).
 */
export const AGENTS_AVAILABLE = "agents_available";

/**
 * Whether agents are there, as a client told it: one guide spells the name without its s, and some
 * write the value in upper case. Null: nobody told it, or what was told is neither.
 *
 * @param variables names in lower case
 */
export function agentsAvailable(variables: ReadonlyMap<string, string>): boolean | null {
  const told = variables.get(AGENTS_AVAILABLE) ?? variables.get("agent_available");
  const value = told?.trim().toLowerCase();
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : null;
}
