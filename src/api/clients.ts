import { AfterwordError } from "../errors.ts";
import { chatClient } from "./chat/client.ts";
import type { ChatClient } from "./chat/client-types.ts";
import { chatbotClient } from "./chatbot/client.ts";
import type { ChatbotClient } from "./chatbot/client.ts";
import { checkOptions } from "./client-options.ts";
import type { ClientsOptions } from "./client-options.ts";
import { knowledgeClient } from "./knowledge/client.ts";
import type { KnowledgeClient } from "./knowledge/client.ts";
import { ticketingClient } from "./ticketing/client.ts";
import type { TicketingClient } from "./ticketing/client.ts";
import { connect } from "./connection.ts";
import type { ClientConnection } from "./connection.ts";
import type { AccessGrant } from "./token-source.ts";

/** Typed clients of one project. They share one access token and one discovery for each token. */
export interface Clients {
  readonly auth: AuthClient;
  readonly chatbot: ChatbotClient;
  /** Throws `argument-invalid` when `createClients` was given no `chat`. */
  readonly chat: ChatClient;
  readonly knowledge: KnowledgeClient;
  readonly ticketing: TicketingClient;
}

export interface AuthClient {
  /**
   * A token that is good for a while yet, and the products' addresses that discovery named with it.
   */
  current(): Promise<AccessGrant>;
}

/**
 * Clients of the service, self-hosted or the vendor's. Nothing is sent before the first call.
 * Throws `argument-invalid` for unusable options, and for a secret in a browser. Every failed call
 * is a `CallError`.
 *
 * @example
 * const { chatbot } = createClients({
 *   auth: { url: "http://127.0.0.1:8787", apiKey: "demo-key", secret: "demo-secret" },
 * });
 * const conversation = await chatbot.start({ lang: "en" });
 * const [answer] = await conversation.send({ message: "Where is my order?" });
 */
export function createClients(options: ClientsOptions): Clients {
  checkOptions(options);
  const { tokens, caller, send } = connect(options);
  let chat: ChatClient | null = null;
  return {
    auth: { current: () => tokens.current() },
    chatbot: chatbotClient(caller),
    get chat() {
      chat ??= chatOf(options, send);
      return chat;
    },
    knowledge: knowledgeClient(caller, options.wire),
    ticketing: ticketingClient(caller),
  };
}

function chatOf({ chat, wire }: ClientsOptions, send: ClientConnection["send"]): ChatClient {
  if (chat === undefined) {
    throw new AfterwordError(
      "argument-invalid",
      "Give createClients a `chat` with url, appId and secret: the live chat has an address and credentials of its own.",
    );
  }
  return chatClient({ ...chat, wire, send });
}
