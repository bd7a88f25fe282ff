import { storable } from "../../storage/storable.ts";
import type { NewTicket } from "../../api/ticketing/schema.ts";
import type { Ticket } from "../../api/ticketing/answers.ts";
import { attach, inlineMedia } from "./attaching.ts";
import type { TicketingOptions } from "./context.ts";
import { createdOnce } from "./idempotency.ts";
import { createdAnswer, findId, identification, idOf, uuidFrom } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { Identification } from "./identity.ts";
import { DEFAULT_QUEUE, queueExists } from "./queues.ts";
import { Refusal, shown } from "../refusal.ts";
import { ticketInsertion } from "./ticket-insertion.ts";
import type { NewTicketRow } from "./ticket-insertion.ts";
import { readTicket, toTicket, record } from "./ticket-rows.ts";
import type { TicketRow } from "./ticket-rows.ts";

export interface TicketCreation {
  readonly project: string;
  readonly ticket: NewTicket;
  /** Identifier of the ticket that the new one is a part of, or null. */
  readonly parent: string | null;
  /** From the header `Idempotency-Key`, or null. */
  readonly idempotencyKey: string | null;
}

/**
 * Creates a ticket with everything that belongs to it, or nothing. Answers the whole ticket.
 *
 * @throws Refusal 404 for an unknown parent, 409 for a key that was used for something else, 410
 *   for deleted media, 422
 */
export async function createTicket(
  options: TicketingOptions,
  creation: TicketCreation,
): Promise<Ticket & { readonly uuid: number | string }> {
  const made = standsAlone(creation)
    ? await createAlone(options, creation)
    : await readTicket(options.database.kysely, await createWithin(options, creation));
  return { ...made, ...createdAnswer(options.wire, made.id, made.hash_uuid) };
}

/** Nothing else has to be true at the moment in which the ticket comes to be. */
function standsAlone({ ticket, parent, idempotencyKey }: TicketCreation): boolean {
  return parent === null && idempotencyKey === null && mediaOf(ticket).length === 0;
}

/** One batch, which waits for the disk together with those of others. */
async function createAlone(
  options: TicketingOptions,
  { project, ticket }: TicketCreation,
): Promise<Ticket> {
  const { database } = options;
  const row = await toRow(database.kysely, options, project, ticket, null);
  const insertion = ticketInsertion(database.kysely, row, creatorOf(ticket));
  const [{ rows }] = await database.batch(insertion, { durable: true });
  return toTicket(madeOf(rows, ticket), []);
}

async function createWithin(
  options: TicketingOptions,
  { project, ticket, parent, idempotencyKey }: TicketCreation,
): Promise<number> {
  const { database, now } = options;
  const request = JSON.stringify([parent, ticket]);
  return database.durable((queries) =>
    createdOnce(queries, { project, key: idempotencyKey, request, now: now() }, async () => {
      const row = await toRow(queries, options, project, ticket, parent);
      const [first, ...further] = ticketInsertion(queries, row, creatorOf(ticket));
      const { id, creator } = madeOf((await queries.executeQuery(first)).rows, ticket);
      for (const query of further) await queries.executeQuery(query);
      await attach(queries, project, mediaOf(ticket), {
        ticket: id,
        reply: null,
        now: row.created,
      });
      if (row.parent !== null) {
        const part = { action: "subticket", after: id } as const;
        await record(queries, { project, ticket: row.parent, actor: creator }, row.created, [part]);
      }
      return id;
    }),
  );
}

async function toRow(
  queries: Queries,
  { now, random }: TicketingOptions,
  project: string,
  ticket: NewTicket,
  parent: string | null,
): Promise<NewTicketRow> {
  const at = now();
  const { solver, queue = DEFAULT_QUEUE } = ticket;
  if (!(await queueExists(queries, project, queue))) {
    throw new Refusal(422, `queue: there is no queue ${queue}`);
  }
  return {
    project,
    hash_uuid: uuidFrom(random(16)),
    title: storable(ticket.title ?? ""),
    message: storable(ticket.message),
    parent: parent === null ? null : await idOf(queries, "tickets", project, parent),
    solver: solver === undefined ? null : await userOf(queries, project, "solver", solver),
    source: ticket.source ?? 0,
    queue,
    status: 1,
    classification: ticket.classification ?? null,
    external_id: ticket.external_id === undefined ? null : storable(ticket.external_id),
    prior: JSON.stringify((ticket.history?.messages ?? []).filter(hasMessage)),
    created: at,
    updated: at,
  };
}

function creatorOf({ creator }: NewTicket): Identification {
  const named = identification(creator);
  if (named === null) throw noUser("creator", creator);
  return named;
}

/** The ticket that was stored. Without a creator there is none. */
function madeOf(rows: readonly TicketRow[], { creator }: NewTicket): TicketRow {
  const [row] = rows;
  if (row === undefined) throw noUser("creator", creator);
  return row;
}

/** Id of a user whom a field names. Throws 422. */
export async function userOf(
  queries: Queries,
  project: string,
  field: string,
  identifier: string,
): Promise<number> {
  const id = await findId(queries, "users", project, identifier);
  if (id === null) throw noUser(field, identifier);
  return id;
}

function noUser(field: string, identifier: string): Refusal {
  return new Refusal(422, `${field}: there is no user ${shown(identifier)}`);
}

/** Identifiers of what hangs on a new ticket. */
export function mediaOf({ attachments = [], message }: NewTicket): readonly string[] {
  return [...attachments, ...inlineMedia(message)];
}

function hasMessage({ message }: { readonly message: string }): boolean {
  return message.trim() !== "";
}
