import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Lists of tickets and users that stay quick with a million of them. An index for each order holds
 * what most lists ask for, so that the rows passed over, by a filter or on the way to a late page,
 * are never read.
 */
export const ticketLists: Migration = {
  name: "0007-ticket-lists",
  async up(database) {
    const asked = sql`status, queue, source, classification`;
    const statements = [
      sql`DROP INDEX tickets_project`,
      sql`DROP INDEX tickets_updated`,
      sql`CREATE INDEX tickets_by_id ON tickets (project, id, ${asked})`,
      sql`CREATE INDEX tickets_by_created ON tickets (project, created, id, ${asked})`,
      sql`CREATE INDEX tickets_by_updated ON tickets (project, updated, id, ${asked})`,
      sql`CREATE INDEX tickets_solver ON tickets (project, solver) WHERE solver IS NOT NULL`,
      sql`CREATE INDEX tickets_parent ON tickets (parent) WHERE parent IS NOT NULL`,
      sql`CREATE INDEX users_by_id ON users (project, id)`,
      sql`CREATE INDEX users_name ON users (project, name)`,
    ];
    for (const statement of statements) await statement.execute(database);
  },
};
