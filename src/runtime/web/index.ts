/**
 * The entry for every runtime. Loads no yaml, zod, i18next or Node built-in.
 *
 * @module afterword
 */
export type { Config, InstanceConfig, UpstreamConfig } from "../../config/config.ts";
export { type ConversationMemory, type ConversationStore } from "../../conversation/memory.ts";
export { createMemoryStore } from "../../conversation/memory.ts";
export { type Flag, FLAG_FACTS, FLAGS } from "../../direct-answers/flags.ts";
export type { Gate, Reason, Trace, TraceStep } from "../../direct-answers/types.ts";
export { AfterwordError, type ErrorCode, isAfterwordError } from "../../errors.ts";
export {
  directAnswers,
  type DirectAnswersOptions,
} from "../../gateway/message/direct-answers-middleware.ts";
export type { Logger, LogLevel, Platform } from "../../gateway/exchange/platform.ts";
export {
  createRewriter,
  type Rewriter,
  type RewriterOptions,
  type Rewritten,
} from "../../gateway/rewriter/rewriter.ts";
export type { RewriteContext } from "../../gateway/rewriter/line-context.ts";
export { LOCALES } from "../../locales/shipped.ts";
export { createGateway } from "./create-gateway.ts";
export type { GatewayOptions } from "./gateway.ts";
export { CallError, type CallErrorCode, isCallError } from "../../api/call/call-error.ts";
export type { ChatbotClient, Conversation } from "../../api/chatbot/client.ts";
export type {
  ConversationAnswer,
  ConversationSettings,
  ConversationTurn,
} from "../../api/chatbot/types.ts";
export type { ClientsOptions } from "../../api/client-options.ts";
export { type Clients, createClients } from "../../api/clients.ts";
export type { AccessGrant } from "../../api/call/token-source.ts";
