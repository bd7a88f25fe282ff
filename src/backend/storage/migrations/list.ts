import { type QueryExecutorProvider, sql } from "kysely";
import { columnTypes, executeAll, type Migration } from "../../../storage/migrate.ts";
import { ticketing } from "./0002-ticketing.ts";
import { chat } from "./0005-chat.ts";

/** Conversations, reported events and contents. */
const chatbot: Migration = {
  name: "0001-chatbot",
  async up(database, dialect) {
    const old = dialect === "sqlite" && (await beforeFirstRelease(database));
    const { identity, integer, strict } = columnTypes(dialect);
    await executeAll(database, [
      sql`CREATE TABLE sessions (
        key text PRIMARY KEY, project text NOT NULL, expires ${integer} NOT NULL, document text NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX sessions_expires ON sessions (expires)`,
      sql`CREATE TABLE history (
        id ${identity}, session text NOT NULL REFERENCES sessions (key) ON DELETE CASCADE, item text NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX history_session ON history (session, id)`,
      sql`CREATE TABLE events (
        id ${identity}, at ${integer} NOT NULL, project text NOT NULL,
        session text NOT NULL, type text NOT NULL, data text NOT NULL
      ) ${strict}`,
      sql`CREATE TABLE contents (
        project text NOT NULL, language text NOT NULL, id ${integer} NOT NULL,
        document text NOT NULL, modified ${integer}, PRIMARY KEY (project, language, id)
      ) ${strict}`,
      sql`CREATE TABLE content_sources (
        project text NOT NULL, language text NOT NULL, document text NOT NULL,
        PRIMARY KEY (project, language)
      ) ${strict}`,
      sql`CREATE TABLE revisions (subject text PRIMARY KEY, revision ${integer} NOT NULL) ${strict}`,
      sql`INSERT INTO revisions (subject, revision) VALUES ('contents', 0)`,
    ]);
    if (old) await afterFirstRelease(database);
  },
};

/** Renames the first release's SQLite tables (`user_version` 1) away; false without any. */
async function beforeFirstRelease(database: QueryExecutorProvider): Promise<boolean> {
  const found = await sql<{ user_version: number }>`PRAGMA user_version`.execute(database);
  if (found.rows[0]?.user_version !== 1) return false;
  for (const index of ["sessions_expires", "history_session"]) {
    await sql`DROP INDEX IF EXISTS ${sql.id(index)}`.execute(database);
  }
  for (const table of ["sessions", "history", "events"]) {
    await sql`ALTER TABLE ${sql.id(table)} RENAME TO ${sql.id(`${table}_1`)}`.execute(database);
  }
  return true;
}

/** Moves it into today's tables: open conversations go on, with their history. */
async function afterFirstRelease(database: QueryExecutorProvider): Promise<void> {
  await executeAll(database, [
    sql`INSERT INTO sessions (key, project, expires, document)
      SELECT key, json_extract(state, '$.project'), expires, state FROM sessions_1
      WHERE CASE WHEN json_valid(state) THEN json_type(state, '$.project') = 'text' END`,
    sql`INSERT INTO history (id, session, item)
      SELECT id, session, item FROM history_1 WHERE session IN (SELECT key FROM sessions)`,
    sql`INSERT INTO events (id, at, project, session, type, data)
      SELECT id, at, project, session, type, data FROM events_1`,
    // History first: it refers to the sessions.
    ...["history_1", "sessions_1", "events_1"].map((table) => sql`DROP TABLE ${sql.id(table)}`),
  ]);
}

/** Knowledge: sessions, events, and the slugs that contents have had. */
const knowledge: Migration = {
  name: "0003-knowledge",
  async up(database, dialect) {
    const { identity, integer, strict } = columnTypes(dialect);
    await executeAll(database, [
      sql`CREATE TABLE knowledge_sessions (
        key text PRIMARY KEY, project text NOT NULL, session text NOT NULL, began ${integer} NOT NULL,
        last ${integer} NOT NULL, sdk_version text
      ) ${strict}`,
      sql`CREATE INDEX knowledge_sessions_last ON knowledge_sessions (last)`,
      sql`CREATE TABLE knowledge_events (
        id ${identity}, project text NOT NULL, at ${integer} NOT NULL, session text, type text NOT NULL, log text,
        content ${integer}, clicked ${integer} NOT NULL, user_question ${integer}, query text, found ${integer},
        rating text, comment text, language text, environment text NOT NULL, source text NOT NULL,
        user_type ${integer} NOT NULL, ip text, user_agent text, sdk_version text, data text NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX knowledge_events_project ON knowledge_events (project, at)`,
      sql`CREATE INDEX knowledge_events_at ON knowledge_events (at)`,
      sql`CREATE INDEX knowledge_events_clicked ON knowledge_events (project, at, content) WHERE clicked = 1`,
      sql`CREATE TABLE content_slugs (
        language text NOT NULL, slug text NOT NULL, content ${integer} NOT NULL, since ${integer} NOT NULL,
        PRIMARY KEY (language, slug)
      ) ${strict}`,
    ]);
  },
};

/** API keys, and counters of their use that several processes share. */
const keys: Migration = {
  name: "0004-keys",
  async up(database, dialect) {
    const { integer, strict } = columnTypes(dialect);
    await executeAll(database, [
      sql`CREATE TABLE api_keys (
      key_digest text PRIMARY KEY, name text NOT NULL UNIQUE, project text NOT NULL,
      document text NOT NULL, created ${integer} NOT NULL, revoked ${integer}
    ) ${strict}`,
      sql`CREATE TABLE rate_windows (
      name text PRIMARY KEY, start ${integer} NOT NULL, ends ${integer} NOT NULL, taken ${integer} NOT NULL
    ) ${strict}`,
      sql`CREATE INDEX rate_windows_ends ON rate_windows (ends)`,
    ]);
  },
};

/** Marks a session's last write, so that processes do not overwrite each other's turns. */
const sessionRevisions: Migration = {
  name: "0006-session-revisions",
  async up(database) {
    await sql`ALTER TABLE sessions ADD COLUMN revision text NOT NULL DEFAULT ''`.execute(database);
  },
};

/**
 * Lists of tickets and users that stay quick with a million of them. An index for each order holds
 * what most lists ask for, so that the rows passed over, by a filter or on the way to a late page,
 * are never read.
 */
const ticketLists: Migration = {
  name: "0007-ticket-lists",
  async up(database) {
    const asked = sql`status, queue, source, classification`;
    await executeAll(database, [
      sql`DROP INDEX tickets_project`,
      sql`DROP INDEX tickets_updated`,
      sql`CREATE INDEX tickets_by_id ON tickets (project, id, ${asked})`,
      sql`CREATE INDEX tickets_by_created ON tickets (project, created, id, ${asked})`,
      sql`CREATE INDEX tickets_by_updated ON tickets (project, updated, id, ${asked})`,
      sql`CREATE INDEX tickets_solver ON tickets (project, solver) WHERE solver IS NOT NULL`,
      sql`CREATE INDEX tickets_parent ON tickets (parent) WHERE parent IS NOT NULL`,
      sql`CREATE INDEX users_by_id ON users (project, id)`,
      sql`CREATE INDEX users_name ON users (project, name)`,
    ]);
  },
};

/** What a registered address of the chat did not take is kept, so that it can be sent again. */
const chatUndelivered: Migration = {
  name: "0008-chat-undelivered",
  async up(database, dialect) {
    const { integer } = columnTypes(dialect);
    await executeAll(database, [
      sql`ALTER TABLE chat_webhook_events ADD COLUMN created ${integer} NOT NULL DEFAULT 0`,
      sql`ALTER TABLE chat_webhook_events ADD COLUMN given_up ${integer}`,
      sql`ALTER TABLE chat_webhook_events ADD COLUMN reason text`,
      sql`DROP INDEX chat_webhook_events_due`,
      sql`CREATE INDEX chat_webhook_events_due ON chat_webhook_events (due, webhook) WHERE given_up IS NULL`,
      sql`CREATE INDEX chat_webhook_events_next ON chat_webhook_events (webhook, id) WHERE given_up IS NULL`,
      sql`CREATE INDEX chat_webhook_events_given_up ON chat_webhook_events (webhook, id) WHERE given_up IS NOT NULL`,
    ]);
  },
};

/** Agents' presence, the rooms' choice of agents, and which messages are transcript lines. */
const chatAgents: Migration = {
  name: "0009-chat-agents",
  async up(database, dialect) {
    const { integer } = columnTypes(dialect);
    const messageId =
      dialect === "sqlite"
        ? sql`json_extract(data, '$.message.id')`
        : sql`data::json -> 'message' ->> 'id'`;
    await executeAll(database, [
      sql`ALTER TABLE chat_agents ADD COLUMN present_until ${integer}`,
      sql`ALTER TABLE chat_agents ADD COLUMN idle_since ${integer} NOT NULL DEFAULT 0`,
      sql`ALTER TABLE chat_rooms ADD COLUMN assign text`,
      sql`ALTER TABLE chat_messages ADD COLUMN imported ${integer} NOT NULL DEFAULT 0`,
      // Users' texts have their quotes escaped within JSON, so none can imitate this.
      sql`UPDATE chat_messages SET imported = 1 WHERE id IN (
        SELECT ${messageId} FROM chat_log
        WHERE trigger_name = 'messages:new' AND data LIKE '%},"imported":true}'
      )`,
    ]);
  },
};

/** Counts wrong passwords by login and address together, unknown logins included. */
const loginAttempts: Migration = {
  name: "0010-login-attempts",
  async up(database, dialect) {
    const { integer, strict } = columnTypes(dialect);
    await executeAll(database, [
      sql`CREATE TABLE chat_login_attempts (
        digest text PRIMARY KEY, failures ${integer} NOT NULL, ends ${integer} NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX chat_login_attempts_ends ON chat_login_attempts (ends)`,
      sql`ALTER TABLE chat_agents DROP COLUMN failures`,
      sql`ALTER TABLE chat_agents DROP COLUMN locked`,
    ]);
  },
};

/** Agents' own notes stand beside the messages, so that nothing that sends messages sends them. */
const chatNotes: Migration = {
  name: "0011-chat-notes",
  async up(database, dialect) {
    const { identity, integer, strict } = columnTypes(dialect);
    await executeAll(database, [
      sql`CREATE TABLE chat_notes (
        number ${identity}, id text NOT NULL UNIQUE, app text NOT NULL, created ${integer} NOT NULL,
        chat ${integer} NOT NULL REFERENCES chat_chats (number), author text NOT NULL, text text NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX chat_notes_chat ON chat_notes (chat, number)`,
    ]);
  },
};

const cannedAnswers: Migration = {
  name: "0012-canned-answers",
  async up(database, dialect) {
    const { integer, strict } = columnTypes(dialect);
    await executeAll(database, [
      sql`CREATE TABLE chat_canned_answers (app text PRIMARY KEY, value text NOT NULL) ${strict}`,
      sql`ALTER TABLE chat_agents ADD COLUMN edit_canned_answers ${integer} NOT NULL DEFAULT 0`,
    ]);
  },
};

/** Which project's tickets an app's agents may see, and which of them. */
const ticketView: Migration = {
  name: "0013-ticket-view",
  async up(database, dialect) {
    const { integer } = columnTypes(dialect);
    await executeAll(database, [
      sql`ALTER TABLE chat_apps ADD COLUMN project text`,
      sql`ALTER TABLE chat_agents ADD COLUMN view_tickets ${integer} NOT NULL DEFAULT 0`,
    ]);
  },
};

const chatReason: Migration = {
  name: "0014-chat-reason",
  async up(database) {
    await executeAll(database, [
      sql`ALTER TABLE chat_chats ADD COLUMN reason text`,
      sql`ALTER TABLE chat_chats ADD COLUMN question text`,
    ]);
  },
};

const agentStatus: Migration = {
  name: "0015-agent-status",
  async up(database) {
    await executeAll(database, [
      sql`ALTER TABLE chat_agents ADD COLUMN status text NOT NULL DEFAULT 'online'`,
    ]);
  },
};

/** Every step, oldest first. Declare a new one above, its tables in `../tables`; append it. */
export const MIGRATIONS: readonly Migration[] = [
  chatbot,
  ticketing,
  knowledge,
  keys,
  chat,
  sessionRevisions,
  ticketLists,
  chatUndelivered,
  chatAgents,
  loginAttempts,
  chatNotes,
  cannedAnswers,
  ticketView,
  chatReason,
  agentStatus,
];
