import { AUTH_OPERATIONS } from "../../api/auth/schema.ts";
import { CHAT_OPERATIONS } from "../../api/chat/operations.ts";
import { CHATBOT_OPERATIONS } from "../../api/chatbot/operations.ts";
import { KNOWLEDGE_OPERATIONS } from "../../api/knowledge/operations.ts";
import type { Operation } from "../../api/call/operation.ts";
import type { ServiceName } from "../../api/call/routes.ts";
import { TICKETING_OPERATIONS } from "../../api/ticketing/operations.ts";

/** One system of the interface, as its documentation shows it. */
export interface DocumentedProduct {
  readonly key: ServiceName;
  readonly title: string;
  readonly about: string;
  /** With the paths that this backend serves them at. */
  readonly operations: readonly Operation[];
}

/** Every system that has a table of operations, in the order in which a reader needs them. */
export const DOCUMENTED: readonly DocumentedProduct[] = [
  {
    key: "auth",
    title: "Authentication",
    about:
      "Servers get an access token for an API key and its secret. Pages get one for the key and a domain key. The answer also has the addresses of the products. They hold as long as the token is used, so do not ask for them before each call.",
    operations: AUTH_OPERATIONS,
  },
  {
    key: "chatbot",
    title: "Chatbot",
    about: "The conversation engine. The `flags` of an answer tell which preset answer it is.",
    operations: placeBelow("/chatbot", CHATBOT_OPERATIONS),
  },
  {
    key: "knowledge",
    title: "Knowledge",
    about:
      "Contents to search and read, and events that record how they are used. A call may send a session in `x-inbenta-session`.",
    operations: placeBelow("/knowledge", KNOWLEDGE_OPERATIONS),
  },
  {
    key: "ticketing",
    title: "Case management",
    about:
      "Users, tickets, replies and files. Each can be named by its number or its UUID. Times are Unix seconds.",
    operations: placeBelow("/ticketing", TICKETING_OPERATIONS),
  },
  {
    key: "chat",
    title: "Chat",
    about:
      "Readers talk to people. Ask for free agents, make the reader a user, create the chat, then search for an agent. With the app's secret, `userId` (or `sender`, `senderId`, `author`) names the person who acts; with the person's own token it can be left out. Times are Unix seconds.",
    operations: placeBelow("/chat", CHAT_OPERATIONS),
  },
];

function placeBelow(base: string, operations: readonly Operation[]): readonly Operation[] {
  return operations.map((operation) => ({
    ...operation,
    path: `${base}${operation.path}`,
    aliases: (operation.aliases ?? []).map((alias) => `${base}${alias}`),
  }));
}
