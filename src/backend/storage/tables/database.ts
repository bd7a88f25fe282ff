import type { Kysely } from "kysely";
import type { Database } from "../../../storage/database.ts";
import type { ChatTables } from "./chat.ts";
import type { ContentTables } from "./contents.ts";
import type { ConversationTables } from "./conversations.ts";
import type { KnowledgeTables } from "./knowledge.ts";
import type { MailTables } from "./mail.ts";
import type { SearchTables } from "./search.ts";
import type { TicketingTables } from "./ticketing.ts";

/** All tables, so that queries are type-checked. `../migrations` creates them. */
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

/** Runs queries, by themselves or in a transaction. */
export type Queries = Kysely<Tables>;

/** The migrations that were applied to this database. */
interface MigrationTable {
  name: string;
  /** When it was applied, as ISO 8601. */
  applied: string;
}

/** API keys and how often they were used. */
export interface KeyTables {
  api_keys: ApiKeyTable;
  rate_windows: RateWindowTable;
}

export interface ApiKeyTable {
  /** SHA-256 of the key in base64url, so that a leaked table reveals no key. */
  key_digest: string;
  /** The name that people know it by. */
  name: string;
  project: string;
  /** Digests of the secrets, domains, factor, as JSON. */
  document: string;
  /** Milliseconds since the epoch. */
  created: number;
  /** Milliseconds since the epoch; null if it is valid. */
  revoked: number | null;
}

/** Calls of one key in one group within one window of time. */
export interface RateWindowTable {
  name: string;
  /** Milliseconds since the epoch: beginning and end of the window. */
  start: number;
  ends: number;
  /** Calls that processes have reserved in this window, made or not. */
  taken: number;
}
