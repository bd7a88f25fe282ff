import { type CompiledQuery, type Insertable, sql } from "kysely";
import type { TicketTable } from "../storage/tables/ticketing.ts";
import type { WebhookEvent } from "../../wire/ticketing/types.ts";
import type { Queries } from "./identity.ts";

/**
 * Statements that store a new ticket, the beginning of its history, and what registered addresses are to be told. Each names
 * the ticket by its UUID, so that none needs the answer of another, and all can go to the database at once.
 */
export function ticketInsertion(
  queries: Queries,
  row: Insertable<TicketTable>,
): readonly CompiledQuery[] {
  const { project, hash_uuid: hash, creator, created: at } = row;
  const ticket = sql`(SELECT id FROM tickets WHERE hash_uuid = ${hash})`;
  const [before, after] = aroundId({
    item: "ticket",
    action: "add",
    timestamp: Math.floor(at / 1000),
    actor: creator,
    parent: row.parent ?? null,
  });
  return [
    queries.insertInto("tickets").values(row).compile(),
    sql`INSERT INTO ticket_events (project, ticket, action, actor, at)
      SELECT ${project}, ${ticket}, 'create', ${sql.lit(creator)}, ${sql.lit(at)}`.compile(queries),
    sql`INSERT INTO webhook_events (webhook, event, attempts, due)
      SELECT id, ${before} || ${ticket} || ${after}, 0, ${sql.lit(at)}
      FROM webhooks WHERE project = ${project} AND item = 'ticket'`.compile(queries),
  ];
}

/** An event as JSON, before and after the id, which only the database knows yet. */
function aroundId(event: Omit<WebhookEvent, "id">): readonly [string, string] {
  return ['{"id":', `,${JSON.stringify(event).slice(1)}`];
}
