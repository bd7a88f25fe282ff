import { sql } from "kysely";
import { toColumnTypes, type CreateTables, executeAll } from "../../../storage/migrate.ts";

/** E-mail of tickets. A project stores each mail once, by its Message-ID. */
export const createMailTables: CreateTables = async (database, dialect) => {
  const { identity, integer, bytes, strict } = toColumnTypes(dialect);
  await executeAll(database, [
    sql`CREATE TABLE mail_references (
        ticket ${integer} PRIMARY KEY REFERENCES tickets (id), reference text NOT NULL UNIQUE
      ) ${strict}`,
    sql`CREATE TABLE mails (
        id ${identity}, project text NOT NULL, ticket ${integer} NOT NULL REFERENCES tickets (id),
        reply ${integer} REFERENCES replies (id), direction text NOT NULL, message_id text NOT NULL,
        address text NOT NULL, subject text NOT NULL, text text NOT NULL, quoted text NOT NULL,
        state text NOT NULL, reason text, raw ${bytes}, attempts ${integer} NOT NULL,
        due ${integer} NOT NULL, created ${integer} NOT NULL, UNIQUE (project, message_id)
      ) ${strict}`,
    sql`CREATE INDEX mails_due ON mails (due) WHERE state IN ('queued', 'sending')`,
    sql`CREATE INDEX mails_ticket ON mails (ticket, id)`,
    sql`CREATE INDEX mails_address ON mails (address, created)`,
  ]);
};
