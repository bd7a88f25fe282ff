/**
 * Reasons of refusals that a page says in its reader's language: `error.reason` of an error body,
 * with values for the sentence in `error.params`. The message beside it is for programmers.
 */
export const REFUSAL_REASONS = [
  "right",
  "right-queue",
  "project",
  "holder",
  "data",
  "taken",
  "not-in-chat",
  "file-type",
  "file",
  "expired",
  "files",
  "notes",
  "busy",
  "merged",
  "closed",
  "ticket-closed",
  "self",
  "state",
  "changed",
  "answered",
  "chat-closed",
  "chat-ticket",
  "assignee",
  "queue",
  "mail-off",
  "mail-decided",
  "mail-partial",
  "mail-sent",
  "words",
  "tags",
  "name",
  "contact",
] as const;

export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Why something was refused. A state is given by its number. */
export interface ExplainedReason {
  readonly reason: RefusalReason;
  readonly params: Readonly<Record<string, string | number>>;
}
