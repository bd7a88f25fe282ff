import { type ConversationMemory, sessionTokenOf } from "../conversation/memory.ts";
import type { RawHeaders } from "./exchange.ts";
import { fieldOf } from "./headers.ts";
import type { RewriteContext } from "./instance-rewriter.ts";

/**
 * What is known of a message whose answer has been searched already, or is not to be: what its
 * conversation said before counts more than its own fields.
 *
 * @param detail as in {@link RewriteContext}
 */
export function contextOf(
  headers: RawHeaders,
  memory: ConversationMemory,
  request: RewriteContext["request"],
  detail: boolean,
): RewriteContext {
  return {
    locale: fieldOf(headers, "x-afterword-locale"),
    lang: memory.lang,
    acceptLanguage: fieldOf(headers, "accept-language"),
    channel: fieldOf(headers, "x-afterword-channel"),
    source: memory.source ?? fieldOf(headers, "x-inbenta-source"),
    env: memory.env ?? fieldOf(headers, "x-inbenta-env"),
    userType: memory.userType ?? fieldOf(headers, "x-inbenta-user-type"),
    variables: memory.variables,
    session: sessionTokenOf(fieldOf(headers, "x-inbenta-session")),
    request,
    detail,
    opened: true,
  };
}
