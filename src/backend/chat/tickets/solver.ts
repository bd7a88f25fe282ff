import { refuseFor } from "../../http/refusal.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { ensureUserOfAgent } from "../../ticketing/agent-users.ts";
import type { ChatOptions } from "../options.ts";
import type { TicketAccess } from "./access.ts";
import { covers, editQueues, selectTicketRights } from "./rights.ts";

/** Finds the user under whom an agent answers. Throws 422 for an agent who may not answer. */
export async function findSolver(
  queries: Queries,
  options: Pick<ChatOptions, "now" | "random">,
  { app, project }: Pick<TicketAccess, "app" | "project">,
  { assignee, queue }: { readonly assignee: string; readonly queue: number },
): Promise<number> {
  const row = await selectTicketRights(queries)
    .where("id", "=", assignee)
    .where("app", "=", app)
    .executeTakeFirst();
  const may = row?.view_tickets === 1 && row.edit_tickets === 1;
  if (!may || !covers(editQueues(row), queue)) {
    throw refuseFor(
      422,
      "assignee",
      `assignee: this agent may not answer tickets of queue ${queue}`,
      { queue },
    );
  }
  return ensureUserOfAgent(queries, options, project, assignee);
}
