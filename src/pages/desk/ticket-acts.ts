import type {
  ChatTicket,
  ChatTicketCounts,
  ChatTicketLine,
} from "../../api/chat/answers-tickets.ts";
import type { Context } from "./context.ts";

/** What an agent can do about tickets. Each throws FailedCall. */
export interface TicketActs {
  /** Tickets that fit the filter's fields, and how many each view has of them. */
  readonly list: (filter: Readonly<Record<string, string>>) => Promise<TicketPage>;
  readonly read: (id: string) => Promise<ChatTicket>;
}

export interface TicketPage {
  readonly tickets: readonly ChatTicketLine[];
  readonly hasMore: boolean;
  readonly counts: ChatTicketCounts;
}

export function createTicketActs({ ask }: Context): TicketActs {
  return {
    list: (filter) => ask("GET", `tickets?${new URLSearchParams(filter).toString()}`),
    async read(id) {
      return (await ask<{ ticket: ChatTicket }>("GET", pathOf(id))).ticket;
    },
  };
}

function pathOf(id: string): string {
  return `tickets/${encodeURIComponent(id)}`;
}
