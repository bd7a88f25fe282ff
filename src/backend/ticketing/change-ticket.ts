import { toStorable } from "../../storage/storable.ts";
import { TICKET_STATUSES, TICKET_TRANSITIONS } from "../../api/ticketing/answers.ts";
import type { Ticket } from "../../api/ticketing/answers.ts";
import type { TicketChange } from "../../api/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { userOf } from "./create-ticket.ts";
import { idOf } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";
import { queueEvent } from "./outbox.ts";
import { requireQueue } from "./queues.ts";
import { refuseFor } from "../http/refusal.ts";
import { indexTicket, readRow, readTicket, statusOf, recordChanges } from "./ticket-rows.ts";
import type { TicketRow } from "./ticket-rows.ts";

const fields = ["title", "status", "queue", "classification", "solver", "external_id"] as const;

/** Columns that can be changed. */
export type TicketColumns = Partial<Pick<TicketRow, (typeof fields)[number]>>;

/**
 * Changes a ticket, and records each change in its history.
 *
 * @throws Refusal 404, 409 for a state that may not follow the current one, 422
 */
export async function changeTicket(
  { database, now }: TicketingOptions,
  project: string,
  identifier: string,
  change: TicketChange,
): Promise<Ticket> {
  return database.durable(async (queries) => {
    const id = await idOf(queries, "tickets", project, identifier);
    const before = await lockRow(queries, id);
    const actor =
      change.actor === undefined ? null : await userOf(queries, project, "actor", change.actor);
    const columns = await columnsOf(queries, project, before, change);
    await writeColumns(queries, before, columns, { actor, at: now() });
    return readTicket(queries, id);
  });
}

/** Writes the changed columns of a locked ticket, with its history and events. */
export async function writeColumns(
  queries: Queries,
  before: TicketRow,
  columns: TicketColumns,
  { actor, at }: { readonly actor: number | null; readonly at: number },
): Promise<void> {
  const { id, project, parent } = before;
  const changed = fields.filter(
    (field) => Object.hasOwn(columns, field) && columns[field] !== before[field],
  );
  if (changed.length === 0) return;
  const row = await queries
    .updateTable("tickets")
    .set({ ...columns, ...solvedColumnOf(before, columns, at), updated: at })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (changed.includes("title")) await indexTicket(queries, row);
  const records = changed.map((field) => ({
    action: "update" as const,
    field,
    before: before[field],
    after: columns[field] ?? null,
  }));
  await recordChanges(queries, { project, ticket: id, actor }, at, records);
  const event = { id, item: "ticket", action: "update", actor: actor ?? 0 } as const;
  await queueEvent(queries, project, at, { ...event, parent });
}

/** Returns the column `solved` for a change of state. A ticket that is solved already keeps its time. */
export function solvedColumnOf(
  before: Pick<TicketRow, "solved">,
  { status }: TicketColumns,
  at: number,
): Partial<Pick<TicketRow, "solved">> {
  if (status === undefined) return {};
  return { solved: status < 4 ? null : (before.solved ?? at) };
}

async function columnsOf(
  queries: Queries,
  project: string,
  before: TicketRow,
  change: TicketChange,
): Promise<TicketColumns> {
  const { title, status, queue, classification, solver, external_id: external } = change;
  if (status !== undefined) checkTransition(before, status);
  if (queue !== undefined) await requireQueue(queries, project, queue);
  return {
    ...(title !== undefined && { title: toStorable(title) }),
    ...(status !== undefined && { status }),
    ...(queue !== undefined && { queue }),
    ...(classification !== undefined && { classification }),
    ...(solver !== undefined && { solver: await userOf(queries, project, "solver", solver) }),
    ...(external !== undefined && { external_id: toStorable(external) }),
  };
}

/** Throws 409 for a state that may not follow the current one. */
export function checkTransition(
  before: TicketRow,
  status: NonNullable<TicketChange["status"]>,
): void {
  const from = statusOf(before.status);
  if (from === status || TICKET_TRANSITIONS[from].includes(status)) return;
  const allowed = TICKET_TRANSITIONS[from].map((next) => `${next} (${TICKET_STATUSES[next]})`);
  const ways =
    allowed.length === 0 ? "nothing may follow" : `these may follow: ${allowed.join(", ")}`;
  throw refuseFor(409, "state", `status: the ticket is ${TICKET_STATUSES[from]}; ${ways}`, {
    from,
    to: status,
  });
}

/** Reads and locks a row for this transaction. PostgreSQL locks it by an empty update; SQLite has one writer. */
export async function lockRow(queries: Queries, id: number): Promise<TicketRow> {
  await queries
    .updateTable("tickets")
    .set((builder) => ({ status: builder.ref("status") }))
    .where("id", "=", id)
    .execute();
  return readRow(queries, id);
}
