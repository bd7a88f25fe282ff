import { Refusal, refuseFor, refuseNotFound, toPrintable } from "../../http/refusal.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { idOf } from "../../ticketing/identity.ts";
import { DEFAULT_QUEUE, requireQueue } from "../../ticketing/queues.ts";
import { readRow } from "../../ticketing/ticket-rows.ts";
import type { TicketRow } from "../../ticketing/ticket-rows.ts";
import type { ChatRequest } from "../request.ts";
import { refuseRight } from "../rights.ts";
import { covers, editQueues, selectTicketRights, viewQueues } from "./rights.ts";

/** The rights of an agent on tickets, read from the database for each call. */
export interface TicketAccess {
  readonly project: string;
  /** Id of the agent. */
  readonly agent: string;
  readonly app: string;
  /** Numbers of the queues whose tickets the agent may read; null for every queue. */
  readonly view: readonly number[] | null;
  /** The same for tickets that the agent may change; `[]` if there are none. */
  readonly edit: readonly number[] | null;
}

/**
 * Reads the calling agent's rights on tickets. The app's secret is not enough, because every reader
 * of a ticket must be a named agent.
 *
 * @throws Refusal 403 without the right TICKET_VIEW
 */
export async function requireTicketView(request: Asked): Promise<TicketAccess> {
  const access = await readTicketAccess(request);
  if (access instanceof Refusal) throw access;
  return access;
}

type Asked = Pick<ChatRequest, "caller" | "app" | "options">;

/** As {@link requireTicketView}, but returns the refusal. */
export async function readTicketAccess({
  caller,
  app,
  options,
}: Asked): Promise<TicketAccess | Refusal> {
  const { person } = caller;
  if (person?.kind !== "agent") return new Refusal(403, "This needs an agent's token.");
  const row = await selectTicketRights(options.database.kysely)
    .innerJoin("chat_apps", "chat_apps.id", "chat_agents.app")
    .select("chat_apps.project")
    .where("chat_agents.id", "=", person.id)
    .executeTakeFirst();
  if (row?.view_tickets !== 1) {
    return refuseRight("TICKET_VIEW");
  }
  if (row.project === null) {
    return refuseFor(
      403,
      "project",
      "This app has no project: afterword backend app tie APP PROJECT.",
    );
  }
  const { project } = row;
  return { project, agent: person.id, app, view: viewQueues(row), edit: editQueues(row) };
}

/** Reads a ticket that the agent may read. Throws 404 for all others. */
export async function readReadableTicket(
  queries: Queries,
  { project, view }: TicketAccess,
  identifier: string,
): Promise<TicketRow> {
  const row = await readRow(queries, await idOf(queries, "tickets", project, identifier));
  if (!covers(view, row.queue)) throw refuseNotFound(`ticket ${toPrintable(identifier)}`);
  return row;
}

/** Throws 403 where the agent may not change tickets of this queue. */
export function requireTicketEdit({ edit }: TicketAccess, queue: number): void {
  if (covers(edit, queue)) return;
  requireAnyEdit({ edit });
  throw refuseRight("TICKET_EDIT", queue);
}

/**
 * Chooses the queue of a new ticket: the one that is named, else the first in which the agent may
 * read and change tickets.
 *
 * @throws Refusal 403, 422 for a queue that the project does not have
 */
export async function chooseQueue(
  queries: Queries,
  access: TicketAccess,
  named: number | undefined,
): Promise<number> {
  const { project, view, edit } = access;
  const mayUse = (queue: number): boolean => covers(view, queue) && covers(edit, queue);
  const first = [DEFAULT_QUEUE, ...(edit ?? view ?? [])].find(mayUse);
  const queue = named ?? first ?? DEFAULT_QUEUE;
  requireTicketEdit(access, queue);
  if (!covers(view, queue)) {
    throw refuseRight("TICKET_VIEW", queue);
  }
  await requireQueue(queries, project, queue);
  return queue;
}

/** Throws 403 where the agent may change no ticket at all. */
export function requireAnyEdit({ edit }: Pick<TicketAccess, "edit">): void {
  if (edit?.length === 0) throw refuseRight("TICKET_EDIT");
}
