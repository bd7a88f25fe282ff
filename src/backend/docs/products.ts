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
      "An API key and a secret are exchanged for an access token, on a server. Ask for the addresses of the products once for each token, and not before each call.",
    operations: AUTH_OPERATIONS,
  },
  {
    key: "chatbot",
    title: "Chatbot",
    about: "The conversation engine. Which preset answer came is told by `flags`.",
    operations: placeBelow("/chatbot", CHATBOT_OPERATIONS),
  },
  {
    key: "knowledge",
    title: "Knowledge",
    about: "Contents to search and read, and the events that tell how they are used.",
    operations: placeBelow("/knowledge", KNOWLEDGE_OPERATIONS),
  },
  {
    key: "ticketing",
    title: "Case management",
    about:
      "Users, tickets, replies and files. An identifier may be given as the number or as the UUID that came with it.",
    operations: placeBelow("/ticketing", TICKETING_OPERATIONS),
  },
  {
    key: "chat",
    title: "Chat",
    about:
      "Readers talk to people. Ask for free agents, make the reader a user, create the chat, then search for an agent.",
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
