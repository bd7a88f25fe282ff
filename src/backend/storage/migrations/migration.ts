import type { Transaction } from "kysely";
import type { DialectName } from "../database-handle.ts";
import type { Database } from "../tables/database.ts";

/**
 * One step from an older database to a newer one. Once released it never changes; what is to be
 * different is a further step.
 */
export interface Migration {
  /** Number and area: `0001-chatbot`. Recorded in the database. */
  readonly name: string;
  /**
   * Everything that is pending runs in one transaction: a step that throws leaves the database as
   * it was.
   */
  up(database: Transaction<Database>, dialect: DialectName): Promise<void>;
}
