import { sql } from "kysely";
import type { DialectName } from "../../../storage/database.ts";
import { toColumnTypes, type CreateTables, executeAll } from "../../../storage/migrate.ts";

/** The live chat. */
export const createChatTables: CreateTables = async (database, dialect) => {
  const columns = createChatColumns(dialect);
  await executeAll(database, [
    ...tablesOfApps(columns),
    ...tablesOfChats(columns),
    ...tablesOfWebhooks(columns),
  ]);
};

type ChatColumns = ReturnType<typeof createChatColumns>;
type Statements = Parameters<typeof executeAll>[1];

function createChatColumns(dialect: DialectName) {
  const types = toColumnTypes(dialect);
  const { identity, integer } = types;
  return {
    ...types,
    owned: sql`number ${identity}, id text NOT NULL UNIQUE, app text NOT NULL, created ${integer} NOT NULL`,
    ofChat: sql`chat ${integer} NOT NULL REFERENCES chat_chats (number)`,
  };
}

/** Apps with their settings, people and rooms. */
function tablesOfApps({ owned, integer, strict }: ChatColumns): Statements {
  return [
    sql`CREATE TABLE chat_apps (
        id text PRIMARY KEY, name text NOT NULL, secret text NOT NULL, demo ${integer} NOT NULL,
        created ${integer} NOT NULL, revoked ${integer}, turn ${integer} NOT NULL, project text
      ) ${strict}`,
    sql`CREATE TABLE chat_settings (app text PRIMARY KEY, value text NOT NULL) ${strict}`,
    sql`CREATE TABLE chat_people (
        ${owned}, kind text NOT NULL, name text NOT NULL, nickname text, contact text NOT NULL,
        external_id text, self_named ${integer} NOT NULL DEFAULT 0, extra text NOT NULL,
        UNIQUE (app, external_id)
      ) ${strict}`,
    sql`CREATE INDEX chat_people_app ON chat_people (app, kind, number)`,
    sql`CREATE TABLE chat_agents (
        id text PRIMARY KEY REFERENCES chat_people (id), app text NOT NULL, login text NOT NULL,
        password text NOT NULL, slots ${integer} NOT NULL, languages text NOT NULL, online ${integer} NOT NULL,
        status text NOT NULL DEFAULT 'online', present_until ${integer}, idle_since ${integer} NOT NULL DEFAULT 0,
        edit_user_info ${integer} NOT NULL, edit_canned_answers ${integer} NOT NULL DEFAULT 0,
        view_tickets ${integer} NOT NULL DEFAULT 0, edit_tickets ${integer} NOT NULL DEFAULT 0,
        supervise ${integer} NOT NULL DEFAULT 0, ticket_queues text, invited_last ${integer} NOT NULL, UNIQUE (app, login)
      ) ${strict}`,
    // Wrong passwords are counted by login and address together, unknown logins included.
    sql`CREATE TABLE chat_login_attempts (
        digest text PRIMARY KEY, failures ${integer} NOT NULL, ends ${integer} NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX chat_login_attempts_ends ON chat_login_attempts (ends)`,
    sql`CREATE TABLE chat_rooms (
        app text NOT NULL, id text NOT NULL, name text NOT NULL, assign text, PRIMARY KEY (app, id)
      ) ${strict}`,
    sql`CREATE TABLE chat_agent_rooms (
        app text NOT NULL, agent text NOT NULL, room text NOT NULL, PRIMARY KEY (agent, room)
      ) ${strict}`,
    sql`CREATE INDEX chat_agent_rooms_app ON chat_agent_rooms (app, room)`,
    sql`CREATE TABLE chat_tokens (
        digest text PRIMARY KEY, app text NOT NULL, person text NOT NULL, expires ${integer} NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX chat_tokens_person ON chat_tokens (person)`,
    sql`CREATE INDEX chat_tokens_expires ON chat_tokens (expires)`,
    sql`CREATE TABLE chat_canned_answers (app text PRIMARY KEY, value text NOT NULL) ${strict}`,
    sql`CREATE TABLE chat_surveys (${owned}, name text NOT NULL, url text NOT NULL) ${strict}`,
  ];
}

function tablesOfChats({
  owned,
  ofChat,
  identity,
  integer,
  bytes,
  strict,
}: ChatColumns): Statements {
  return [
    sql`CREATE TABLE chat_chats (
        ${owned}, room text NOT NULL, room_json text NOT NULL, source_json text NOT NULL, creator text NOT NULL,
        lang text NOT NULL, external_id text NOT NULL, phase text NOT NULL, holder text, invited text, invitation text,
        due ${integer}, round ${integer} NOT NULL, queued ${integer}, queue_position ${integer}, idle ${integer},
        awaits ${integer}, unanswered ${integer}, answered ${integer}, answered_by text,
        taken ${integer}, closed ${integer}, closed_by text, close_reason text,
        reason text, question text
      ) ${strict}`,
    // At most one open chat for each user, even with simultaneous requests.
    sql`CREATE UNIQUE INDEX chat_chats_open ON chat_chats (creator) WHERE phase <> 'closed'`,
    sql`CREATE INDEX chat_chats_creator ON chat_chats (creator)`,
    sql`CREATE INDEX chat_chats_app ON chat_chats (app, number)`,
    sql`CREATE INDEX chat_chats_external ON chat_chats (app, external_id)`,
    sql`CREATE INDEX chat_chats_due ON chat_chats (due) WHERE due IS NOT NULL`,
    sql`CREATE INDEX chat_chats_idle ON chat_chats (idle) WHERE idle IS NOT NULL`,
    sql`CREATE INDEX chat_chats_queue ON chat_chats (app, room, number) WHERE phase <> 'closed' AND queued IS NOT NULL`,
    sql`CREATE INDEX chat_chats_invited ON chat_chats (invited) WHERE invited IS NOT NULL`,
    sql`CREATE INDEX chat_chats_taken ON chat_chats (app, room, taken)`,
    // Figures are counted from indexes alone: 100,000 chats in a third of a second.
    sql`CREATE INDEX chat_chats_figures ON chat_chats (app, created, room, answered, answered_by, closed, reason, close_reason)`,
    sql`CREATE INDEX chat_chats_now ON chat_chats (app, room) WHERE phase <> 'closed'`,
    sql`CREATE TABLE chat_members (
        ${ofChat}, person text NOT NULL, kind text NOT NULL, joined ${integer} NOT NULL, left_at ${integer},
        PRIMARY KEY (chat, person)
      ) ${strict}`,
    sql`CREATE INDEX chat_members_person ON chat_members (person, chat)`,
    sql`CREATE TABLE chat_tries (
        ${ofChat}, agent text NOT NULL, until ${integer} NOT NULL, PRIMARY KEY (chat, agent)
      ) ${strict}`,
    sql`CREATE TABLE chat_messages (
        ${owned}, ${ofChat}, sender text NOT NULL, type text NOT NULL, message text NOT NULL,
        imported ${integer} NOT NULL DEFAULT 0
      ) ${strict}`,
    sql`CREATE INDEX chat_messages_chat ON chat_messages (chat, number)`,
    // Agents' notes have a table of their own, so that code that sends messages cannot send them.
    sql`CREATE TABLE chat_notes (${owned}, ${ofChat}, author text NOT NULL, text text NOT NULL) ${strict}`,
    sql`CREATE INDEX chat_notes_chat ON chat_notes (chat, number)`,
    sql`CREATE TABLE chat_reads (
        message ${integer} NOT NULL REFERENCES chat_messages (number), reader text NOT NULL, at ${integer} NOT NULL,
        PRIMARY KEY (message, reader)
      ) ${strict}`,
    sql`CREATE TABLE chat_media (
        ${owned}, name text NOT NULL, type text NOT NULL, size ${integer} NOT NULL, data ${bytes},
        chat ${integer} REFERENCES chat_chats (number)
      ) ${strict}`,
    sql`CREATE INDEX chat_media_app ON chat_media (app, number)`,
    sql`CREATE INDEX chat_media_loose ON chat_media (created) WHERE chat IS NULL AND data IS NOT NULL`,
    sql`CREATE TABLE chat_log (
        number ${identity}, app text NOT NULL, chat ${integer} REFERENCES chat_chats (number),
        trigger_name text NOT NULL, data text NOT NULL, at ${integer} NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX chat_log_chat ON chat_log (chat, number)`,
    sql`CREATE INDEX chat_log_app ON chat_log (app, number)`,
  ];
}

function tablesOfWebhooks({ owned, identity, integer, strict }: ChatColumns): Statements {
  return [
    sql`CREATE TABLE chat_webhooks (
        ${owned}, events text NOT NULL, target text NOT NULL, secret text NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX chat_webhooks_app ON chat_webhooks (app)`,
    sql`CREATE TABLE chat_webhook_events (
        id ${identity}, webhook ${integer} NOT NULL REFERENCES chat_webhooks (number) ON DELETE CASCADE,
        chat ${integer} NOT NULL, event text NOT NULL, attempts ${integer} NOT NULL, due ${integer} NOT NULL,
        created ${integer} NOT NULL DEFAULT 0, refused ${integer} NOT NULL DEFAULT 0, given_up ${integer}, reason text
      ) ${strict}`,
    sql`CREATE INDEX chat_webhook_events_due ON chat_webhook_events (due, webhook) WHERE given_up IS NULL`,
    sql`CREATE INDEX chat_webhook_events_next ON chat_webhook_events (webhook, id) WHERE given_up IS NULL`,
    // An event that its address did not take is kept, so that it can be sent again.
    sql`CREATE INDEX chat_webhook_events_given_up ON chat_webhook_events (webhook, id) WHERE given_up IS NOT NULL`,
  ];
}
