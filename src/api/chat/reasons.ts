/**
 * The reasons of refusals that pages explain in their user's language. An error body has the reason
 * in `error.reason`, and the values for its sentence in `error.params`. Its message is for
 * programmers.
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

/** The reason of a refusal. In `params`, a ticket's state is given by its number. */
export interface ExplainedReason {
  readonly reason: RefusalReason;
  readonly params: Readonly<Record<string, string | number>>;
}
