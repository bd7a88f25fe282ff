import type { Kysely } from "kysely";
import type { Database } from "../../../storage/database.ts";
import type { ChatTables } from "./chat.ts";
import type { ContentTables } from "./contents.ts";
import type { ConversationTables } from "./conversations.ts";
import type { KnowledgeTables } from "./knowledge.ts";
import type { MailTables } from "./mail.ts";
import type { SearchTables } from "./search.ts";
import type { TicketingTables } from "./ticketing.ts";

/** Every table, for checked queries. Add an area's here; `../migrations` makes the tables. */
export interface Tables
  extends
    ConversationTables,
    ContentTables,
    TicketingTables,
    MailTables,
    KnowledgeTables,
    KeyTables,
    SearchTables,
    ChatTables {
  afterword_schema: MigrationTable;
}

/** The backend's database. */
export type BackendDatabase = Database<Tables>;

/** For single statements or within a transaction. */
export type Queries = Kysely<Tables>;

/** The migrations that this database has had. */
interface MigrationTable {
  name: string;
  /** When the step was taken, as ISO 8601. */
  applied: string;
}

/** API keys and how often they were used. */
export interface KeyTables {
  api_keys: ApiKeyTable;
  rate_windows: RateWindowTable;
}

export interface ApiKeyTable {
  /** SHA-256 of the key, as base64url text: a reader of the table can't use it as a key. */
  key_digest: string;
  /** The name that people call it by. */
  name: string;
  project: string;
  /** Digests of the secrets, domains, factor, as JSON. */
  document: string;
  /** Milliseconds since the epoch. */
  created: number;
  /** Milliseconds since the epoch, or null while it is good. */
  revoked: number | null;
}

/** Calls of one key in one group within one window of time. */
export interface RateWindowTable {
  name: string;
  /** Milliseconds since the epoch: beginning and end of the window. */
  start: number;
  ends: number;
  /** Calls that processes have taken, counted or still to be made. */
  taken: number;
}
