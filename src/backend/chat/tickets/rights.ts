import type { Selectable } from "kysely";
import type { ChatAgent } from "../../../api/chat/answers.ts";
import type { ChatAgentTable } from "../../storage/tables/chat.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { queuesOf } from "../agents/agent-rows.ts";

/** Selects agents with the columns on which their rights on tickets depend. */
export function selectTicketRights(queries: Queries) {
  return queries
    .selectFrom("chat_agents")
    .select(["chat_agents.id", "chat_agents.app"])
    .select(["view_tickets", "edit_tickets", "supervise", "ticket_queues"]);
}

type Rights = Pick<
  Selectable<ChatAgentTable>,
  "view_tickets" | "edit_tickets" | "supervise" | "ticket_queues"
>;

/** The queues whose tickets an agent with these rights may read; null for every queue. */
export function viewQueues(rights: Rights): readonly number[] | null {
  return rights.view_tickets === 1 ? limitOf(rights, "TICKET_VIEW") : [];
}

/** The queues whose tickets an agent with these rights may change; null for every queue. */
export function editQueues(rights: Rights): readonly number[] | null {
  return rights.edit_tickets === 1 ? limitOf(rights, "TICKET_EDIT") : [];
}

function limitOf(rights: Rights, right: keyof ChatAgent["queues"]): readonly number[] | null {
  const queues = queuesOf(rights)[right];
  return rights.supervise === 1 || queues.length === 0 ? null : queues;
}

/** True where a right that is limited to these queues covers one. */
export function covers(queues: readonly number[] | null, queue: number): boolean {
  return queues === null || queues.includes(queue);
}
