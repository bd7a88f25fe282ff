/** The events of chats, which webhooks, event streams and histories carry. */
export const CHAT_TRIGGERS = [
  "chats:create",
  "chats:join",
  "chats:leave",
  "chats:close",
  "chats:unanswered",
  "chats:assign",
  "forever:alone",
  "invitations:new",
  "invitations:accept",
  "invitations:reject",
  "messages:new",
  "messages:read",
  "queues:update",
  "users:activity",
  "users:presence",
  "system:info",
] as const;

export type ChatTrigger = (typeof CHAT_TRIGGERS)[number];

/** The events of event streams. Changes of tickets go only to agents who may read them. */
export const STREAM_TRIGGERS = [...CHAT_TRIGGERS, "tickets:change"] as const;

/** The types of files that may be sent, unless the settings name others (chat.md 10). */
export const DEFAULT_MEDIA_TYPES: readonly string[] = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "application/pdf",
  "application/msword",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "video/mp4",
  "video/x-msvideo",
  "audio/mpeg",
  "audio/aac",
  "audio/wav",
  "audio/x-ms-wma",
  "audio/ogg",
  "audio/mp4",
];

/**
 * The states that signed-in agents choose for themselves. New chats go to those who are `online`.
 */
export const AGENT_STATUSES = ["online", "busy", "away"] as const;

/** Rules for choosing among free agents; the first is the default (seed.md 7.2). */
export const ASSIGN_RULES = [
  "most-free-slots",
  "least-busy",
  "round-robin",
  "longest-idle",
] as const;

export type AssignRule = (typeof ASSIGN_RULES)[number];

/** Lists of tickets at the desk. `mine` has the agent's own unsolved ones, `new` the unassigned. */
export const TICKET_VIEWS = ["new", "mine", "open", "waiting", "solved", "all"] as const;

/** Orders of a list of tickets, by their last change. */
export const TICKET_ORDERS = ["newest", "oldest"] as const;

export type TicketOrder = (typeof TICKET_ORDERS)[number];

export type TicketView = (typeof TICKET_VIEWS)[number];
