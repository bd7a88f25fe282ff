import type { TicketStatus } from "./types.ts";

/** Names of the numbers in `status`. The specification lists no states; these are Afterword's. */
export const TICKET_STATUSES: Readonly<Record<TicketStatus, string>> = {
  1: "new",
  2: "open",
  3: "pending",
  4: "solved",
  5: "closed",
};

/** Which state may follow which. A closed ticket stays closed: what comes later is a new ticket. */
export const TICKET_TRANSITIONS: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  1: [2, 3, 4, 5],
  2: [3, 4, 5],
  3: [2, 4, 5],
  4: [2, 5],
  5: [],
};
