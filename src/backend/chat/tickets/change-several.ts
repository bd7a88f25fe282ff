import type { ChatTicketsChanged } from "../../../api/chat/answers-tickets.ts";
import type { ChatTicketsChange } from "../../../api/chat/schema-tickets.ts";
import { Refusal } from "../../http/refusal.ts";
import type { ChatOptions } from "../options.ts";
import type { TicketAccess } from "./access.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { changeTicketAtDesk } from "./work.ts";

/**
 * Makes the same change to several tickets, one after the other and each in a transaction of its
 * own. A refused one stops none of the others.
 */
export async function changeTicketsAtDesk(
  options: ChatOptions,
  access: TicketAccess,
  { tickets, ...change }: ChatTicketsChange,
): Promise<ChatTicketsChanged> {
  const results: ChatTicketsChanged["results"][number][] = [];
  // The last of several entries for one ticket counts.
  for (const [id, seen] of new Map(tickets.map((one) => [one.id, one.seen]))) {
    try {
      await changeTicketAtDesk(options, access, String(id), { ...change, seen });
      results.push({ id, refused: null });
    } catch (error) {
      const refusal = await explainRefusal(options, access, error);
      if (!(refusal instanceof Refusal)) throw refusal;
      const { status: code, message, why } = refusal;
      results.push({ id, refused: { code, message, ...why } });
    }
  }
  return { results };
}
