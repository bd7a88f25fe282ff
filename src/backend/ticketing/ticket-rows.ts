import { z } from "zod";
import type { Selectable } from "kysely";
import type { TicketTable } from "../storage/tables/ticketing.ts";
import type {
  MediaReference,
  PriorMessage,
  Ticket,
  TicketStatus,
  TicketEvent,
} from "../../api/ticketing/answers.ts";
import { transcript, type TicketTranscript } from "../../api/ticketing/schema.ts";
import { attachmentsOf } from "./attaching.ts";
import { toFullUuid } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";
import { toStorable } from "../../storage/storable.ts";
import { textOfHtml } from "../../locales/html-text.ts";
import { replaceSearchedText } from "../storage/search-index.ts";

export type TicketRow = Selectable<TicketTable>;

const priorMessages: z.ZodType<readonly PriorMessage[]> = z.array(
  z.object({ user: z.string(), message: z.string() }),
);

/** Lists the messages from before a ticket was created. */
export function priorMessagesOf({ prior }: Pick<TicketRow, "prior">): readonly PriorMessage[] {
  return priorMessages.parse(JSON.parse(prior));
}

/** Reads the conversation, in parts, of which the ticket's message is the text; or null. */
export function transcriptOf({
  transcript: stored,
}: Pick<TicketRow, "transcript">): TicketTranscript | null {
  return stored === null ? null : transcript.parse(JSON.parse(stored));
}

/** Converts rows to the tickets that clients get, with their attachments. */
export async function toTickets(
  queries: Queries,
  rows: readonly TicketRow[],
): Promise<readonly Ticket[]> {
  const all = await attachmentsOf(
    queries,
    rows.map(({ id }) => id),
  );
  const own = Map.groupBy(
    all.filter(({ reply }) => reply === null),
    ({ ticket }) => ticket,
  );
  return rows.map((row) => toTicket(row, own.get(row.id) ?? []));
}

/** Converts a row to the ticket that clients get. */
function toTicket(row: TicketRow, attachments: readonly MediaReference[]): Ticket {
  return {
    id: row.id,
    hash_uuid: row.hash_uuid,
    full_uuid: toFullUuid(row.id, row.hash_uuid),
    title: row.title,
    message: row.message,
    creator: row.creator,
    solver: row.solver,
    source: row.source,
    queue: row.queue,
    status: statusOf(row.status),
    classification: row.classification,
    external_id: row.external_id,
    parent: row.parent,
    attachments: attachments.map(({ id, hash_uuid, name }) => ({ id, hash_uuid, name })),
    history: { messages: priorMessagesOf(row) },
    created: Math.floor(row.created / 1000),
    last_update: Math.floor(row.updated / 1000),
  };
}

/** Indexes a ticket for search by its number, title, message and earlier messages. */
export function indexTicket(queries: Queries, row: TicketRow): Promise<void> {
  const { id, hash_uuid: hash, title, message } = row;
  const prior = priorMessagesOf(row).map((line) => line.message);
  const text = [title, ...prior, textOfHtml(message), toFullUuid(id, hash)].join("\n");
  return replaceSearchedText(queries, { kind: "ticket", source: id, subject: id, text });
}

export async function readTicket(queries: Queries, id: number): Promise<Ticket> {
  const row = await readRow(queries, id);
  const [ticket] = await toTickets(queries, [row]);
  if (ticket === undefined) throw new Error("unreachable: one row makes one ticket");
  return ticket;
}

export function readRow(queries: Queries, id: number): Promise<TicketRow> {
  return queries.selectFrom("tickets").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

export function statusOf(value: number): TicketStatus {
  return value === 2 || value === 3 || value === 4 || value === 5 ? value : 1;
}

/** A change of a ticket, for its history. */
interface TicketChangeRecord {
  readonly action: "create" | "update" | "reply" | "answer" | "note" | "reopen" | "subticket";
  readonly field?: string;
  readonly before?: string | number | null;
  readonly after?: string | number | null;
}

/** Adds changes to a ticket's history, within the transaction that makes them. */
export async function recordChanges(
  queries: Queries,
  to: { readonly project: string; readonly ticket: number; readonly actor: number | null },
  at: number,
  changes: readonly TicketChangeRecord[],
): Promise<void> {
  const rows = changes.map(({ action, field = null, before = null, after = null }) => ({
    ...to,
    action,
    field,
    before: before === null ? null : toStorable(String(before)),
    after: after === null ? null : toStorable(String(after)),
    at,
  }));
  await queries.insertInto("ticket_events").values(rows).execute();
  const left = changes.flatMap(({ field, before }) => (field === "queue" ? Number(before) : []));
  await notifyAgents(queries, to, at, left);
}

/**
 * Sends the change of a ticket to the event streams of all agents who may read it.
 *
 * @param left queues that the ticket has just left
 */
async function notifyAgents(
  queries: Queries,
  { project, ticket }: { readonly project: string; readonly ticket: number },
  at: number,
  left: readonly number[],
): Promise<void> {
  const apps = await queries
    .selectFrom("chat_apps")
    .innerJoin("tickets", "tickets.project", "chat_apps.project")
    .select(["chat_apps.id", "tickets.queue"])
    .where("chat_apps.project", "=", project)
    .where("chat_apps.revoked", "is", null)
    .where("tickets.id", "=", ticket)
    .execute();
  const event = { chat: null, trigger_name: "tickets:change", at };
  const lines = apps.flatMap(({ id: app, queue }) =>
    [queue, ...left].map((one) => ({
      ...event,
      app,
      data: JSON.stringify({ ticketId: ticket, queue: one }),
    })),
  );
  if (lines.length > 0) await queries.insertInto("chat_log").values(lines).execute();
}

/** Reads the changes of a ticket, oldest first. */
export async function readHistory(
  queries: Queries,
  ticket: number,
  limit: number,
  offset: number,
): Promise<readonly TicketEvent[]> {
  const rows = await queries
    .selectFrom("ticket_events")
    .selectAll()
    .where("ticket", "=", ticket)
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ id, action, field, before, after, actor, at }) => ({
    id,
    action,
    field,
    from: before,
    to: after,
    actor,
    timestamp: Math.floor(at / 1000),
  }));
}
