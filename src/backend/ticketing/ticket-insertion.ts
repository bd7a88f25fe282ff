import { type CompiledQuery, type Insertable, type Selectable, sql } from "kysely";
import type { TicketTable } from "../storage/tables/ticketing.ts";
import type { WebhookEvent } from "../../api/ticketing/answers.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { Identification } from "./identity.ts";

/** A new ticket as it is stored, without its creator. */
export type NewTicketRow = Omit<Insertable<TicketTable>, "id" | "creator"> & {
  readonly parent: number | null;
};

/**
 * Statements that store a new ticket, the beginning of its history, and what registered addresses
 * are to be told. Each names the ticket by its UUID, so that none needs the answer of another, and
 * all can go to the database at once. The first returns the ticket; where nobody is `creator`, it
 * returns nothing, and nothing is stored.
 */
export function ticketInsertion(
  queries: Queries,
  row: NewTicketRow,
  creator: Identification,
): Insertion {
  const { project, hash_uuid: hash, created: at } = row;
  const [before, between, after] = aroundIds({
    item: "ticket",
    action: "add",
    timestamp: Math.floor(at / 1000),
    parent: row.parent,
  });
  const [ticket, event, webhooks] = compiledFor(queries, creator.column);
  const values = columns.map((name) => row[name]);
  return [
    { ...ticket, parameters: [...values, project, creator.value] },
    { ...event, parameters: [hash] },
    { ...webhooks, parameters: [before, between, after, project, hash] },
  ];
}

type Insertion = readonly [CompiledQuery<Selectable<TicketTable>>, CompiledQuery, CompiledQuery];

/**
 * Compiled once for each database: that would be most of the work of a ticket, and only the
 * parameters differ.
 */
function compiledFor(queries: Queries, column: Identification["column"]): Insertion {
  const { adapter } = queries.getExecutor();
  let known = compiled.get(adapter);
  if (known === undefined) {
    known = new Map();
    compiled.set(adapter, known);
  }
  let insertion = known.get(column);
  if (insertion === undefined) {
    insertion = compile(queries, column);
    known.set(column, insertion);
  }
  return insertion;
}

const compiled = new WeakMap<object, Map<Identification["column"], Insertion>>();

/** With null for every parameter, which come in the order in which they stand here. */
function compile(queries: Queries, column: Identification["column"]): Insertion {
  const given = null;
  return [
    sql<Selectable<TicketTable>>`
      INSERT INTO tickets (${sql.join(columns.map((name) => sql.ref(name)))}, creator)
      SELECT ${sql.join(columns.map(() => given))}, id
      FROM users WHERE project = ${given} AND ${sql.ref(column)} = ${given}
      RETURNING *`.compile(queries),
    sql`
      INSERT INTO ticket_events (project, ticket, action, actor, at)
      SELECT project, id, 'create', creator, created FROM tickets WHERE hash_uuid = ${given}`.compile(
      queries,
    ),
    sql`
      INSERT INTO webhook_events (webhook, event, attempts, due)
      SELECT webhooks.id, ${given} || tickets.id || ${given} || tickets.creator || ${given}, 0, tickets.created
      FROM webhooks, tickets
      WHERE webhooks.project = ${given} AND webhooks.item = 'ticket' AND tickets.hash_uuid = ${given}`.compile(
      queries,
    ),
  ];
}

const columns = [
  "project",
  "hash_uuid",
  "created",
  "title",
  "message",
  "solver",
  "source",
  "queue",
  "status",
  "classification",
  "external_id",
  "parent",
  "prior",
  "updated",
] as const satisfies readonly (keyof NewTicketRow)[];

/**
 * An event as JSON, around the ids of the ticket and of its creator, which only the database knows
 * yet.
 */
function aroundIds(
  event: Omit<WebhookEvent, "id" | "actor">,
): readonly [before: string, between: string, after: string] {
  return [`${JSON.stringify(event).slice(0, -1)},"id":`, ',"actor":', "}"];
}
