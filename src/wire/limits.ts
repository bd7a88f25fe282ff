/** The most that a request may hold: characters of texts, entries of lists. In docs/ticketing.md, chat.md and knowledge.md. */
export const LIMITS = {
  /** Files of a ticket or a reply, those that its text shows included. */
  attachments: 100,
} as const;
