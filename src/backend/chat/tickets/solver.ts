import { sql, type SqlBool } from "kysely";
import { refuseFor } from "../../http/refusal.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { ensureUserOfAgent } from "../../ticketing/agent-users.ts";
import type { ChatOptions } from "../options.ts";
import type { TicketAccess } from "./access.ts";
import { covers, editQueues, selectTicketRights } from "./rights.ts";

/**
 * Condition for new tickets, and for open ones without an assignee, or whose assignee is an agent who
 * left or lost the rights. The states come first, so that databases read the assignees of open
 * tickets alone.
 */
export const HAS_NOBODY = sql<SqlBool>`(tickets.status IN (1, 2) AND (
  tickets.status = 1 OR tickets.solver IS NULL OR EXISTS (
    SELECT 1 FROM users AS assignees WHERE assignees.id = tickets.solver
      AND assignees.agent IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM chat_agents WHERE chat_agents.id = assignees.agent
          AND chat_agents.view_tickets = 1 AND chat_agents.edit_tickets = 1))))`;

/** Finds the user under whom an agent answers. Throws 422 for an agent who may not answer. */
export async function findSolver(
  queries: Queries,
  options: Pick<ChatOptions, "now" | "random">,
  { app, project }: Pick<TicketAccess, "app" | "project">,
  { assignee, queue }: { readonly assignee: string; readonly queue: number },
): Promise<number> {
  if (!(await mayAnswer(queries, { app, agent: assignee, queue }))) {
    throw refuseFor(
      422,
      "assignee",
      `assignee: this agent may not answer tickets of queue ${queue}`,
      { queue },
    );
  }
  return ensureUserOfAgent(queries, options, project, assignee);
}

/** Finds out whether the assignee of a ticket may answer it in another queue. */
export async function staysSolver(
  queries: Queries,
  app: string,
  { solver, queue }: { readonly solver: number | null; readonly queue: number },
): Promise<boolean> {
  if (solver === null) return true;
  const user = queries.selectFrom("users").select("agent").where("id", "=", solver);
  const { agent } = await user.executeTakeFirstOrThrow();
  // A user without an agent works elsewhere, by rights that are not known here.
  return agent === null || mayAnswer(queries, { app, agent, queue });
}

async function mayAnswer(
  queries: Queries,
  { app, agent, queue }: { readonly app: string; readonly agent: string; readonly queue: number },
): Promise<boolean> {
  const row = await selectTicketRights(queries)
    .where("id", "=", agent)
    .where("app", "=", app)
    .executeTakeFirst();
  return row?.view_tickets === 1 && row.edit_tickets === 1 && covers(editQueues(row), queue);
}
