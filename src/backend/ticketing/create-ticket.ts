import type { Insertable } from "kysely";
import { parseTag } from "../../locales/tag.ts";
import { toStorable } from "../../storage/storable.ts";
import type { TicketBody } from "../../api/ticketing/schema.ts";
import type { Ticket } from "../../api/ticketing/answers.ts";
import { attach, inlineMedia } from "./attaching.ts";
import { queueMail } from "../mail/mails.ts";
import type { TicketingOptions, WritingOptions } from "./context.ts";
import { createOnce } from "./idempotency.ts";
import { toCreatedAnswer, findId, readIdentification, idOf, uuidFrom } from "./identity.ts";
import type { ApiRequest } from "../auth/handling.ts";
import { DEFAULT_QUEUE, requireQueue } from "./queues.ts";
import { Refusal, toPrintable } from "../http/refusal.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { TicketTable } from "../storage/tables/ticketing.ts";
import { queueEvent } from "./outbox.ts";
import { indexTicket, readTicket, recordChanges } from "./ticket-rows.ts";

export interface TicketCreation {
  readonly project: string;
  readonly ticket: TicketBody;
  /** Identifier of the parent ticket, or null. */
  readonly parent: string | null;
  /** From the header `Idempotency-Key`, or null. */
  readonly idempotencyKey: string | null;
}

/**
 * Creates a ticket with everything that belongs to it, or nothing at all, and returns it.
 *
 * @throws Refusal 404 for an unknown parent, 409 for a key that was used for something else, 410
 *   for deleted media, 422
 */
export async function createTicket(
  options: TicketingOptions,
  creation: TicketCreation,
): Promise<Ticket & { readonly uuid: number | string }> {
  const { database, now, wire } = options;
  const { project, ticket, parent, idempotencyKey: key } = creation;
  const request = JSON.stringify([parent, ticket]);
  const id = await database.durable((queries) =>
    createOnce(queries, { project, key, request, now: now() }, async () => {
      const row = await toRow(queries, options, creation);
      const made = await insertTicket(queries, options, row);
      await attach(queries, project, mediaOf(ticket), {
        ticket: made,
        reply: null,
        now: row.created,
      });
      await acknowledge(queries, options, made);
      return made;
    }),
  );
  const made = await readTicket(database.kysely, id);
  return { ...made, ...toCreatedAnswer(wire, made.id, made.hash_uuid) };
}

/** Confirms a new ticket to its person by e-mail at once, if the owner configured that. */
async function acknowledge(
  queries: Queries,
  { mail, now, random }: TicketingOptions,
  ticket: number,
): Promise<void> {
  const text = mail?.acknowledge ?? null;
  if (mail === undefined || text === null) return;
  await queueMail(queries, { mail, now, random }, { ticket, reply: null, text });
}

/** A ticket before it is written: without a source it is 0, without a status new. */
type NewTicketRow = Omit<Insertable<TicketTable>, Made | Usual> &
  Partial<Pick<Insertable<TicketTable>, Usual>>;
type Made = "id" | "hash_uuid" | "updated";
type Usual = "prior" | "source" | "status";

/**
 * Writes a ticket, the first entry of its history, and its events for webhooks.
 *
 * @param actor the user who made it, an agent for example; without one, its creator
 */
export async function insertTicket(
  queries: Queries,
  { random }: Pick<WritingOptions, "random">,
  row: NewTicketRow,
  actor: number = row.creator,
): Promise<number> {
  const { project, created: at, parent = null } = row;
  const insertion = queries.insertInto("tickets").values({
    prior: "[]",
    source: 0,
    status: 1,
    ...row,
    title: toStorable(row.title),
    message: toStorable(row.message),
    hash_uuid: uuidFrom(random(16)),
    updated: at,
  });
  const made = await insertion.returningAll().executeTakeFirstOrThrow();
  const { id } = made;
  await indexTicket(queries, made);
  await recordChanges(queries, { project, ticket: id, actor }, at, [{ action: "create" }]);
  await queueEvent(queries, project, at, { id, item: "ticket", action: "add", actor, parent });
  if (parent !== null) {
    const part = { action: "subticket", after: id } as const;
    await recordChanges(queries, { project, ticket: parent, actor }, at, [part]);
  }
  return id;
}

async function toRow(
  queries: Queries,
  { now }: TicketingOptions,
  { project, ticket, parent }: TicketCreation,
): Promise<NewTicketRow> {
  const at = now();
  const { solver, queue = DEFAULT_QUEUE } = ticket;
  await requireQueue(queries, project, queue);
  return {
    project,
    title: ticket.title ?? "",
    message: ticket.message,
    parent: parent === null ? null : await idOf(queries, "tickets", project, parent),
    solver: solver === undefined ? null : await userOf(queries, project, "solver", solver),
    creator: await userOf(queries, project, "creator", ticket.creator),
    source: ticket.source ?? 0,
    queue,
    classification: ticket.classification ?? null,
    external_id: ticket.external_id === undefined ? null : toStorable(ticket.external_id),
    prior: JSON.stringify((ticket.history?.messages ?? []).filter(hasMessage)),
    language: parseTag(ticket.language ?? "")?.base ?? "",
    transcript: ticket.transcript === undefined ? null : JSON.stringify(ticket.transcript),
    created: at,
  };
}

function hasMessage({ message }: { readonly message: string }): boolean {
  return message.trim() !== "";
}

/** Finds the id of the user that a field names. Throws 422. */
export async function userOf(
  queries: Queries,
  project: string,
  field: string,
  identifier: string,
): Promise<number> {
  const id = await findId(queries, "users", project, identifier);
  if (id === null) throw new Refusal(422, `${field}: there is no user ${toPrintable(identifier)}`);
  return id;
}

/** Throws 422 if a request with a domain key names a user or a file by its number. */
export function requireUuids({ domainKey }: ApiRequest, ticket: TicketBody): void {
  if (domainKey === null) return;
  const named = {
    creator: [ticket.creator],
    solver: ticket.solver === undefined ? [] : [ticket.solver],
    attachments: mediaOf(ticket),
  };
  for (const [field, identifiers] of Object.entries(named)) {
    if (identifiers.every((one) => readIdentification(one)?.column === "hash_uuid")) continue;
    throw new Refusal(
      422,
      `${field}: with a token of a domain key, users and files are named by their UUID (hash_uuid)`,
    );
  }
}

/** Lists the identifiers of a new ticket's files. */
function mediaOf({ attachments = [], message }: TicketBody): readonly string[] {
  return [...attachments, ...inlineMedia(message)];
}
