import type { Tables } from "../../backend/storage/tables/database.ts";

/**
 * What an erasure does with every table. A new table without a line here does not compile: whoever
 * adds one decides what of a person is in it.
 */
export const STORES: Readonly<Record<keyof Tables, Treatment>> = {
  users: "erased",
  tickets: "erased",
  replies: "erased",
  media: "erased",
  attachments: "erased",
  ticket_events: "erased",
  survey_answers: "erased",
  webhook_events: "erased",
  idempotency_keys: "erased",
  sessions: "erased",
  history: "erased",
  events: "erased",
  knowledge_sessions: "erased",
  knowledge_events: "erased",
  chat_people: "erased",
  chat_tokens: "erased",
  chat_chats: "erased",
  chat_members: "erased",
  chat_tries: "erased",
  chat_messages: "erased",
  chat_reads: "erased",
  chat_media: "erased",
  chat_log: "erased",
  chat_webhook_events: "erased",
  api_keys: "named",
  chat_agents: "named",
  rate_windows: "nobody's",
  chat_login_attempts: "nobody's",
  queues: "nobody's",
  project_settings: "nobody's",
  surveys: "nobody's",
  webhooks: "nobody's",
  chat_apps: "nobody's",
  chat_settings: "nobody's",
  chat_rooms: "nobody's",
  chat_agent_rooms: "nobody's",
  chat_surveys: "nobody's",
  chat_webhooks: "nobody's",
  contents: "nobody's",
  content_sources: "nobody's",
  content_slugs: "nobody's",
  revisions: "nobody's",
  afterword_migrations: "nobody's",
};

/** `named`: found, reported and left to the operator. `nobody's`: holds nothing of a reader. */
export type Treatment = "erased" | "named" | "nobody's";
