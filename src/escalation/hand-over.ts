import type { EscalationRecord } from "./record.ts";
import type { Scope } from "./scope.ts";
import { transcriptText } from "./transcript.ts";

/** The conversation so far as a file, in the reader's language. */
export function fileOf(
  scope: Scope,
  record: EscalationRecord,
): { readonly name: string; readonly text: string } {
  const role = (key: "reader" | "bot" | "agent"): string =>
    scope.say(record, `escalation.who-${key}`) ?? key;
  const roles = { reader: role("reader"), bot: role("bot"), agent: role("agent") };
  return { name: "conversation.txt", text: transcriptText(record, roles) };
}

/** What a ticket is called: the reader's last own words, else a line for all. */
export function titleOf(scope: Scope, record: EscalationRecord): string {
  const words = record.lines.findLast(({ who }) => who === "reader")?.said.trim() ?? "";
  const line = words === "" ? (scope.say(record, "escalation.ticket-title") ?? "") : words;
  const characters = Array.from(line.replaceAll(/\s+/gu, " "));
  if (characters.length <= longestTitle) return line;
  return `${characters.slice(0, longestTitle - 1).join("")}\u2026`;
}

const longestTitle = 120;
