import { storable } from "../storage/storable.ts";
import type { NewTicket, Ticket } from "../../wire/ticketing/types.ts";
import { attach, inlineMedia } from "./attaching.ts";
import type { TicketingOptions } from "./context.ts";
import { createdOnce } from "./idempotency.ts";
import { createdAnswer, findId, idOf, shown, uuidFrom } from "./identity.ts";
import type { Queries } from "./identity.ts";
import { queueEvents } from "./outbox.ts";
import { DEFAULT_QUEUE, queueExists } from "./queues.ts";
import { Refusal } from "../refusal.ts";
import { record } from "./ticket-events.ts";
import { readTicket } from "./ticket-rows.ts";

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
 * @throws Refusal 404 for an unknown parent, 409 for a key that was used for something else, 410 for deleted media, 422
 */
export async function createTicket(
  options: TicketingOptions,
  { project, ticket, parent, idempotencyKey }: TicketCreation,
): Promise<Ticket & { readonly uuid: number | string }> {
  const { database, now, wire } = options;
  const id = await database.durable((queries) =>
    createdOnce(
      queries,
      { project, key: idempotencyKey, request: JSON.stringify([parent, ticket]), now: now() },
      () => insertTicket(queries, options, project, ticket, parent),
    ),
  );
  const made = await readTicket(database.kysely, id);
  return { ...made, ...createdAnswer(wire, made.id, made.hash_uuid) };
}

async function insertTicket(
  queries: Queries,
  { now, random }: TicketingOptions,
  project: string,
  ticket: NewTicket,
  parentIdentifier: string | null,
): Promise<number> {
  const at = now();
  const parent =
    parentIdentifier === null ? null : await idOf(queries, "tickets", project, parentIdentifier);
  const creator = await userOf(queries, project, "creator", ticket.creator);
  const solver =
    ticket.solver === undefined ? null : await userOf(queries, project, "solver", ticket.solver);
  const queue = ticket.queue ?? DEFAULT_QUEUE;
  if (!(await queueExists(queries, project, queue))) {
    throw new Refusal(422, `queue: there is no queue ${queue}`);
  }
  const { id } = await queries
    .insertInto("tickets")
    .values({
      project,
      hash_uuid: uuidFrom(random(16)),
      title: storable(ticket.title ?? ""),
      message: storable(ticket.message),
      creator,
      solver,
      source: ticket.source ?? 0,
      queue,
      status: 1,
      classification: ticket.classification ?? null,
      external_id: ticket.external_id === undefined ? null : storable(ticket.external_id),
      parent,
      prior: JSON.stringify((ticket.history?.messages ?? []).filter(hasMessage)),
      created: at,
      updated: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const media = [...(ticket.attachments ?? []), ...inlineMedia(ticket.message)];
  await attach(queries, project, media, { ticket: id, reply: null, now: at });
  await record(queries, { project, ticket: id, actor: creator }, at, [{ action: "create" }]);
  if (parent !== null) {
    const change = { action: "subticket", after: id } as const;
    await record(queries, { project, ticket: parent, actor: creator }, at, [change]);
  }
  await queueEvents(queries, project, at, [
    { id, item: "ticket", action: "add", actor: creator, parent },
  ]);
  return id;
}

/** Id of a user whom a field names. Throws 422. */
export async function userOf(
  queries: Queries,
  project: string,
  field: string,
  identifier: string,
): Promise<number> {
  const id = await findId(queries, "users", project, identifier);
  if (id === null) throw new Refusal(422, `${field}: there is no user ${shown(identifier)}`);
  return id;
}

function hasMessage({ message }: { readonly message: string }): boolean {
  return message.trim() !== "";
}
