import type { Generated } from "kysely";

/** The live chat. Times are milliseconds since the epoch; `app` is the id of a row's app. */
export interface ChatTables {
  chat_apps: ChatAppTable;
  chat_settings: ChatSettingTable;
  chat_canned_answers: ChatSettingTable;
  chat_people: ChatPersonTable;
  chat_agents: ChatAgentTable;
  chat_rooms: ChatRoomTable;
  chat_agent_rooms: ChatAgentRoomTable;
  chat_tokens: ChatTokenTable;
  chat_login_attempts: ChatLoginAttemptTable;
  chat_chats: ChatTable;
  chat_members: ChatMemberTable;
  chat_tries: ChatTryTable;
  chat_messages: ChatMessageTable;
  chat_reads: ChatReadTable;
  chat_notes: ChatNoteTable;
  chat_media: ChatMediaTable;
  chat_log: ChatLogTable;
  chat_surveys: ChatSurveyTable;
  chat_webhooks: ChatWebhookTable;
  chat_webhook_events: ChatWebhookEventTable;
}

interface Owned {
  /** Order of creation. */
  number: Generated<number>;
  /** The id that the outside knows it by; not guessable. */
  id: string;
  app: string;
  created: number;
}

export interface ChatAppTable {
  id: string;
  name: string;
  /** SHA-256 of the secret, as hexadecimal text. */
  secret: string;
  /** 1: well-known credentials, good on a loopback listener only. */
  demo: number;
  created: number;
  revoked: number | null;
  /**
   * Incremented by each change of a chat's holder, so that these changes come one after the other.
   */
  turn: number;
  /** The project whose tickets its agents may see, if they have the right; null for none. */
  project: Generated<string | null>;
}

export interface ChatSettingTable {
  app: string;
  /** JSON. */
  value: string;
}

/** Users and agents: `GET /users/{id}` resolves both. */
export interface ChatPersonTable extends Owned {
  /** user or agent */
  kind: string;
  name: string;
  nickname: string | null;
  contact: string;
  external_id: string | null;
  /** 1 if whoever signed up chose the externalId, without the app's secret. */
  self_named: Generated<number>;
  /** JSON object. */
  extra: string;
}

export interface ChatAgentTable {
  id: string;
  app: string;
  login: string;
  /** `pbkdf2:<rounds>:<salt>:<hash>` */
  password: string;
  slots: number;
  /** JSON list of language codes; empty for every language. */
  languages: string;
  online: number;
  /** online, busy or away */
  status: Generated<string>;
  edit_user_info: number;
  edit_canned_answers: Generated<number>;
  view_tickets: Generated<number>;
  edit_tickets: Generated<number>;
  supervise: Generated<number>;
  /** JSON of `queues`: by right, numbers of queues; null for every queue. */
  ticket_queues: Generated<string | null>;
  /** When they were invited last: who has waited longest comes first among equals. */
  invited_last: number;
  /** Until when an agent with an event stream is present, or null. See `agents/presence.ts`. */
  present_until: Generated<number | null>;
  /** When they left their last chat, or signed in after that. */
  idle_since: Generated<number>;
}

export interface ChatRoomTable {
  app: string;
  id: string;
  name: string;
  /** By which rule an agent is chosen; null for the usual one. See `agents/choose-agent.ts`. */
  assign: Generated<string | null>;
}

export interface ChatAgentRoomTable {
  app: string;
  agent: string;
  room: string;
}

export interface ChatTokenTable {
  /** SHA-256 of the token, as hexadecimal text. */
  digest: string;
  app: string;
  person: string;
  expires: number;
}

/** See `agents/login-attempts.ts`. */
export interface ChatLoginAttemptTable {
  digest: string;
  failures: number;
  /** When the row expires. */
  ends: number;
}

export interface ChatTable extends Owned {
  room: string;
  /** As they were received: a number stays a number. */
  room_json: string;
  source_json: string;
  creator: string;
  lang: string;
  external_id: string;
  /** See `machine.ts`. */
  phase: string;
  /** The agent who answers for the chat. */
  holder: string | null;
  /** The agent who was asked and has not answered, and for what: assign, join or transfer. */
  invited: string | null;
  invitation: string | null;
  /** When a pending invitation lapses, or an unfinished search is taken up by another process. */
  due: number | null;
  /** Counts searches, so that one that is overtaken changes nothing. */
  round: number;
  /** The time since which it is queued, or null. */
  queued: number | null;
  /** The position that its user was told last. */
  queue_position: number | null;
  /** When silence closes it or, while its user waits for an answer, sends `chats:unanswered`. */
  idle: number | null;
  /** Since when its user waits for an answer, or null if an agent spoke last, or nobody has. */
  awaits: number | null;
  /** When `chats:unanswered` was sent; null again after an answer. */
  unanswered: number | null;
  /** When an agent first said something in it, and which one. */
  answered: Generated<number | null>;
  answered_by: Generated<string | null>;
  /** When an agent took it. */
  taken: number | null;
  closed: number | null;
  closed_by: string | null;
  close_reason: string | null;
  /** Why a person is needed, and what was asked before: as the app's server says. */
  reason: Generated<string | null>;
  question: Generated<string | null>;
}

export interface ChatMemberTable {
  chat: number;
  person: string;
  kind: string;
  joined: number;
  left_at: number | null;
}

/** Agents who were invited to a chat and did not take it. */
export interface ChatTryTable {
  chat: number;
  agent: string;
  /** They are not asked again before this. */
  until: number;
}

export interface ChatMessageTable extends Owned {
  chat: number;
  /** Id of a person, or `assistant`. */
  sender: string;
  /** text, media or object */
  type: string;
  /** JSON. */
  message: string;
  /** 1: a line of a transcript. */
  imported: Generated<number>;
}

/** The notes that agents keep about a chat for themselves. */
export interface ChatNoteTable extends Owned {
  chat: number;
  /** Id of an agent. */
  author: string;
  text: string;
}

export interface ChatReadTable {
  message: number;
  reader: string;
  at: number;
}

export interface ChatMediaTable extends Owned {
  name: string;
  type: string;
  size: number;
  /** Null once the file was deleted. */
  data: Uint8Array | null;
  /**
   * The chat that it was sent in. While it is null, the file is deleted an hour after `created`.
   */
  chat: number | null;
}

/** Everything that happened, in order: histories and event streams are read from it. */
export interface ChatLogTable {
  number: Generated<number>;
  app: string;
  /** Number of the chat; null for an event about a ticket. */
  chat: number | null;
  trigger_name: string;
  /** JSON: `data` of the event. */
  data: string;
  at: number;
}

export interface ChatSurveyTable extends Owned {
  name: string;
  url: string;
}

export interface ChatWebhookTable extends Owned {
  /** Stored as `,a,b,`, so that one event can be searched for. */
  events: string;
  target: string;
  secret: string;
}

/** Events that a webhook has not received yet, and those that it did not accept. */
export interface ChatWebhookEventTable {
  id: Generated<number>;
  webhook: number;
  /** Number of the chat in which it happened. */
  chat: number;
  /** JSON. */
  event: string;
  attempts: number;
  /** Not before this. A process that delivers moves it ahead first, so that no other does too. */
  due: number;
  /**
   * Not delivered before this time. A process moves it forward before it delivers, so that no other
   * process delivers the same event.
   */
  created: Generated<number>;
  /** 1: the address refused this event itself, and so those of other chats do not wait for it. */
  refused: Generated<number>;
  /** When delivery was given up; null while it is tried. */
  given_up: number | null;
  /** The result of the last attempt. */
  reason: string | null;
}
