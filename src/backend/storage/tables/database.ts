import type { ChatTables } from "./chat.ts";
import type { ContentTables } from "./contents.ts";
import type { ConversationTables } from "./conversations.ts";
import type { KeyTables } from "./keys.ts";
import type { KnowledgeTables } from "./knowledge.ts";
import type { MigrationTables } from "./migrations.ts";
import type { TicketingTables } from "./ticketing.ts";

/**
 * Every table, for queries that are checked against it. A new area declares its own in a file
 * beside this one, and is added to this list; what makes the tables is a file in `../migrations`.
 */
export interface Database
  extends
    ConversationTables,
    ContentTables,
    TicketingTables,
    KnowledgeTables,
    KeyTables,
    ChatTables,
    MigrationTables {}
