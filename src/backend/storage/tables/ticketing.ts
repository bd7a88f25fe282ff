import type { Generated } from "kysely";

/** Tables of case management. Times are milliseconds since the epoch; `project` is a project's name. */
export interface TicketingTables {
  users: UserTable;
  tickets: TicketTable;
  replies: ReplyTable;
  ticket_notes: TicketNoteTable;
  ticket_tags: TicketTagTable;
  ticket_presence: TicketPresenceTable;
  media: MediaTable;
  attachments: AttachmentTable;
  ticket_events: TicketEventTable;
  queues: QueueTable;
  project_settings: ProjectSettingTable;
  surveys: SurveyTable;
  survey_answers: SurveyAnswerTable;
  webhooks: WebhookTable;
  webhook_events: WebhookEventTable;
  idempotency_keys: IdempotencyKeyTable;
}

/** The columns of a record that belongs to a project. */
interface Owned {
  id: Generated<number>;
  project: string;
  hash_uuid: string;
  created: number;
}

export interface UserTable extends Owned {
  name: string;
  address: string;
  /** The address in lower case, for comparisons. */
  address_key: string;
  /** JSON list of `{id, content}`. */
  extra: string;
  /** Id of the chat agent who is this user; null for other users. */
  agent: Generated<string | null>;
  updated: number;
}

export interface TicketTable extends Owned {
  title: string;
  message: string;
  creator: number;
  solver: number | null;
  source: number;
  queue: number;
  status: number;
  classification: number | null;
  external_id: string | null;
  parent: number | null;
  /** JSON list of `{user, message}`. */
  prior: string;
  /** ISO 639-1, or empty. */
  language: Generated<string>;
  /** JSON of a conversation in parts (`Transcript`), if `message` is its text; otherwise null. */
  transcript: Generated<string | null>;
  /** Id of the chat from which an agent created the ticket. */
  chat: Generated<string | null>;
  /** The ticket that this one was merged into. */
  merged: Generated<number | null>;
  /** When an agent first answered. */
  answered: Generated<number | null>;
  /** When it was solved or closed; null again after it was reopened. */
  solved: Generated<number | null>;
  updated: number;
}

export interface ReplyTable extends Owned {
  ticket: number;
  creator: number;
  message: string;
  /** answer or reply */
  type: string;
}

export interface TicketNoteTable extends Owned {
  ticket: number;
  /** Id of the chat's agent. */
  author: string;
  message: string;
}

export interface TicketTagTable {
  project: string;
  ticket: number;
  tag: string;
}

/** Agents who have a ticket open. See `chat/tickets/presence.ts`. */
export interface TicketPresenceTable {
  ticket: number;
  /** Id of the chat's agent. */
  agent: string;
  present_until: number;
  /** 0 for an agent who only reads. */
  writing_until: number;
}

export interface MediaTable extends Owned {
  name: string;
  type: string;
  size: number;
  /** Null after the file was deleted. The row stays, so that its id is recognized. */
  data: Uint8Array | null;
  /** When the file was attached. If this is null, the file is deleted an hour after `created`. */
  attached: number | null;
}

export interface AttachmentTable {
  media: number;
  ticket: number;
  /** Null for an attachment of the ticket itself. */
  reply: number | null;
}

export interface TicketEventTable {
  id: Generated<number>;
  project: string;
  ticket: number;
  action: string;
  field: string | null;
  before: string | null;
  after: string | null;
  actor: number | null;
  at: number;
}

export interface QueueTable {
  project: string;
  id: number;
  name: string;
}

export interface ProjectSettingTable {
  project: string;
  name: string;
  /** JSON. */
  value: string;
}

export interface SurveyTable {
  id: Generated<number>;
  project: string;
  /** JSON. */
  document: string;
}

export interface SurveyAnswerTable {
  /** SHA-256 of the token with which the answers are submitted, as hexadecimal text. */
  token: string;
  project: string;
  survey: number;
  /** Null for a conversation without a ticket. */
  ticket: number | null;
  /** JSON; null until the survey is submitted. */
  answers: string | null;
  created: number;
}

export interface WebhookTable extends Owned {
  item: string;
  url: string;
  secret: string;
}

/** Events that a webhook has not received yet. */
export interface WebhookEventTable {
  id: Generated<number>;
  webhook: number;
  /** JSON. */
  event: string;
  attempts: number;
  /**
   * The event is not delivered before this time. A process postpones it before it delivers, so that
   * no other process delivers the same event.
   */
  due: number;
}

export interface IdempotencyKeyTable {
  project: string;
  key: string;
  /** SHA-256 of the request, as hexadecimal text. */
  request: string;
  /** Id of the created record. */
  created_id: number;
  created: number;
}
