import { chatbot } from "./0001-chatbot.ts";
import { ticketing } from "./0002-ticketing.ts";
import { knowledge } from "./0003-knowledge.ts";
import { keys } from "./0004-keys.ts";
import { chat } from "./0005-chat.ts";
import { sessionRevisions } from "./0006-session-revisions.ts";
import { ticketLists } from "./0007-ticket-lists.ts";
import { chatUndelivered } from "./0008-chat-undelivered.ts";
import { chatAgents } from "./0009-chat-agents.ts";
import { loginAttempts } from "./0010-login-attempts.ts";
import type { Migration } from "./migration.ts";

/**
 * Every step, oldest first. To add one: write `NNNN-area.ts` with the next number, declare its
 * tables in `../tables`, and put it at the end.
 */
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
];
