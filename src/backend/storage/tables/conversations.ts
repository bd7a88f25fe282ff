import type { Generated } from "kysely";

export interface ConversationTables {
  sessions: SessionTable;
  history: HistoryTable;
  events: EventTable;
}

export interface SessionTable {
  key: string;
  project: string;
  /** Milliseconds since the epoch. */
  expires: number;
  /** The session as JSON: it grows without a migration. */
  document: string;
  /** Changes with every change of the document; empty before the first. */
  revision: Generated<string>;
}

export interface HistoryTable {
  /** Increases in the order of the conversation. */
  id: Generated<number>;
  /** Key of the session, with which the row is deleted. */
  session: string;
  /** A history item as JSON. */
  item: string;
}

export interface EventTable {
  id: Generated<number>;
  /** Milliseconds since the epoch. */
  at: number;
  project: string;
  session: string;
  type: string;
  /** JSON. */
  data: string;
}
