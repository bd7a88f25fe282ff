import type { Migration } from "../../../storage/migrate.ts";
import { createChatTables } from "./chat.ts";
import { createChatbotTables } from "./chatbot.ts";
import { createKeyTables } from "./keys.ts";
import { createKnowledgeTables } from "./knowledge.ts";
import { createMailTables } from "./mail.ts";
import { createSearchTables } from "./search.ts";
import { createTicketingTables } from "./ticketing.ts";

/**
 * The tables of the first release. Until then, a new column goes into its table's statement, and the
 * name gets the next number, so that a database of an earlier checkout is refused.
 */
const first: Migration = {
  name: "0001-first-release-7",
  async up(database, dialect) {
    await createChatbotTables(database, dialect);
    await createTicketingTables(database, dialect);
    await createKnowledgeTables(database, dialect);
    await createKeyTables(database, dialect);
    await createChatTables(database, dialect);
    await createMailTables(database, dialect);
    await createSearchTables(database, dialect);
  },
};

/** Every step, oldest first. From the first release on, a change of a table is a step of its own. */
export const MIGRATIONS: readonly Migration[] = [first];
