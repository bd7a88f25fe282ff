import type { Generated } from "kysely";

/** Knowledge. Times are milliseconds since the epoch; `project` is the name of a row's project. */
export interface KnowledgeTables {
  knowledge_sessions: KnowledgeSessionTable;
  knowledge_events: KnowledgeEventTable;
  content_slugs: ContentSlugTable;
}

export interface KnowledgeSessionTable {
  /** SHA-256 of project and session token, base64url. */
  key: string;
  project: string;
  /** The id that events carry. It changes after the token was idle for 30 minutes. */
  session: string;
  /** When `session` began. */
  began: number;
  /** When the token was last used. */
  last: number;
  /** As the client named it, or null. */
  sdk_version: string | null;
}

export interface KnowledgeEventTable {
  id: Generated<number>;
  project: string;
  at: number;
  /** Null without a session. */
  session: string | null;
  type: string;
  /** Relates what one answer led to: the search, its clicks and its ratings have the same value. */
  log: string | null;
  /** Id of the content that it is about. */
  content: number | null;
  /** 1 when `content` was opened, else 0. */
  clicked: number;
  user_question: number | null;
  query: string | null;
  /** How many contents a search found; null for anything else. */
  found: number | null;
  /** Id of a rating. */
  rating: string | null;
  comment: string | null;
  language: string | null;
  environment: string;
  source: string;
  user_type: number;
  /** Null unless the operator asked for user information. */
  ip: string | null;
  user_agent: string | null;
  sdk_version: string | null;
  /** JSON: what the front end sent with it. */
  data: string;
}

/** Every slug that a content ever had, so that a former one leads to it. */
export interface ContentSlugTable {
  language: string;
  slug: string;
  content: number;
  /** When this content was first seen with it. */
  since: number;
}
