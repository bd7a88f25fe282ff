import { sql } from "kysely";
import type { DialectName } from "../../../storage/database.ts";
import { toColumnTypes, type CreateTables, executeAll } from "../../../storage/migrate.ts";

/** Case management. */
export const createTicketingTables: CreateTables = async (database, dialect) => {
  const columns = createTicketColumns(dialect);
  await executeAll(database, [...tablesOfTickets(columns), ...tablesOfProjects(columns)]);
};

type TicketColumns = ReturnType<typeof createTicketColumns>;
type Statements = Parameters<typeof executeAll>[1];

function createTicketColumns(dialect: DialectName) {
  const types = toColumnTypes(dialect);
  const { identity, integer } = types;
  const owned = sql`id ${identity}, project text NOT NULL, hash_uuid text NOT NULL UNIQUE, created ${integer} NOT NULL`;
  return { ...types, owned };
}

/**
 * Lists of tickets and users stay quick with a million of them: an index for each order holds what
 * most lists ask for, so that the database never reads the rows that a filter or a late page passes
 * over.
 */
function tablesOfTickets({ owned, identity, integer, bytes, strict }: TicketColumns): Statements {
  const filters = sql`status, queue, source, classification`;
  return [
    sql`CREATE TABLE users (
        ${owned}, name text NOT NULL, address text NOT NULL, address_key text NOT NULL,
        extra text NOT NULL, agent text, updated ${integer} NOT NULL,
        UNIQUE (project, address_key), UNIQUE (project, agent)
      ) ${strict}`,
    sql`CREATE INDEX users_by_id ON users (project, id)`,
    sql`CREATE INDEX users_name ON users (project, name)`,
    sql`CREATE TABLE tickets (
        ${owned}, title text NOT NULL, message text NOT NULL,
        creator ${integer} NOT NULL REFERENCES users (id), solver ${integer} REFERENCES users (id),
        source ${integer} NOT NULL, queue ${integer} NOT NULL, status ${integer} NOT NULL,
        classification ${integer}, external_id text, parent ${integer} REFERENCES tickets (id),
        prior text NOT NULL, language text NOT NULL DEFAULT '', transcript text, chat text,
        merged ${integer} REFERENCES tickets (id), answered ${integer}, solved ${integer}, updated ${integer} NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX tickets_by_id ON tickets (project, id, ${filters})`,
    sql`CREATE INDEX tickets_by_created ON tickets (project, created, id, ${filters})`,
    sql`CREATE INDEX tickets_by_updated ON tickets (project, updated, id, ${filters})`,
    sql`CREATE INDEX tickets_figures ON tickets (project, created, queue, solver, answered, solved, merged)`,
    sql`CREATE INDEX tickets_solver ON tickets (project, solver) WHERE solver IS NOT NULL`,
    sql`CREATE INDEX tickets_parent ON tickets (parent) WHERE parent IS NOT NULL`,
    sql`CREATE INDEX tickets_external ON tickets (project, external_id)`,
    sql`CREATE INDEX tickets_creator ON tickets (creator)`,
    sql`CREATE INDEX tickets_chat ON tickets (chat) WHERE chat IS NOT NULL`,
    sql`CREATE INDEX tickets_merged ON tickets (merged) WHERE merged IS NOT NULL`,
    sql`CREATE TABLE replies (
        ${owned}, ticket ${integer} NOT NULL REFERENCES tickets (id),
        creator ${integer} NOT NULL REFERENCES users (id), message text NOT NULL, type text NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX replies_ticket ON replies (ticket, id)`,
    // Agents' notes have a table of their own, so that code that sends replies cannot send them.
    sql`CREATE TABLE ticket_notes (
        ${owned}, ticket ${integer} NOT NULL REFERENCES tickets (id), author text NOT NULL, message text NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX ticket_notes_ticket ON ticket_notes (ticket, id)`,
    sql`CREATE TABLE ticket_tags (
        project text NOT NULL, ticket ${integer} NOT NULL REFERENCES tickets (id), tag text NOT NULL,
        PRIMARY KEY (ticket, tag)
      ) ${strict}`,
    sql`CREATE INDEX ticket_tags_tag ON ticket_tags (project, tag)`,
    sql`CREATE TABLE ticket_presence (
        ticket ${integer} NOT NULL REFERENCES tickets (id) ON DELETE CASCADE, agent text NOT NULL,
        present_until ${integer} NOT NULL, writing_until ${integer} NOT NULL, PRIMARY KEY (ticket, agent)
      ) ${strict}`,
    sql`CREATE TABLE media (
        ${owned}, name text NOT NULL, type text NOT NULL, size ${integer} NOT NULL, data ${bytes}, attached ${integer}
      ) ${strict}`,
    sql`CREATE INDEX media_unattached ON media (created) WHERE attached IS NULL AND data IS NOT NULL`,
    sql`CREATE TABLE attachments (
        media ${integer} NOT NULL REFERENCES media (id), ticket ${integer} NOT NULL REFERENCES tickets (id),
        reply ${integer} REFERENCES replies (id)
      ) ${strict}`,
    sql`CREATE INDEX attachments_ticket ON attachments (ticket)`,
    sql`CREATE INDEX attachments_media ON attachments (media)`,
    sql`CREATE TABLE ticket_events (
        id ${identity}, project text NOT NULL, ticket ${integer} NOT NULL REFERENCES tickets (id),
        action text NOT NULL, field text, before text, after text, actor ${integer}, at ${integer} NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX ticket_events_ticket ON ticket_events (ticket, id)`,
  ];
}

function tablesOfProjects({ owned, identity, integer, strict }: TicketColumns): Statements {
  return [
    sql`CREATE TABLE queues (
        project text NOT NULL, id ${integer} NOT NULL, name text NOT NULL, PRIMARY KEY (project, id)
      ) ${strict}`,
    sql`CREATE TABLE project_settings (
        project text NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (project, name)
      ) ${strict}`,
    sql`CREATE TABLE surveys (id ${identity}, project text NOT NULL, document text NOT NULL) ${strict}`,
    sql`CREATE TABLE survey_answers (
        token text PRIMARY KEY, project text NOT NULL, survey ${integer} NOT NULL REFERENCES surveys (id),
        ticket ${integer} REFERENCES tickets (id), answers text, created ${integer} NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX survey_answers_created ON survey_answers (project, created)`,
    sql`CREATE TABLE webhooks (${owned}, item text NOT NULL, url text NOT NULL, secret text NOT NULL) ${strict}`,
    sql`CREATE TABLE webhook_events (
        id ${identity}, webhook ${integer} NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
        event text NOT NULL, attempts ${integer} NOT NULL, due ${integer} NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX webhook_events_due ON webhook_events (due, webhook, id)`,
    sql`CREATE TABLE idempotency_keys (
        project text NOT NULL, key text NOT NULL, request text NOT NULL, created_id ${integer} NOT NULL,
        created ${integer} NOT NULL, PRIMARY KEY (project, key)
      ) ${strict}`,
  ];
}
