import { z } from "zod";
import { COMMON_ERRORS } from "../operation.ts";
import type { Operation } from "../operation.ts";
import { answers, appData, done, history, startedConversation, variables } from "./answers.ts";
import { conversationStart, manyVariables, oneVariable, trackedEvent, turn } from "./schema.ts";
import { LIMITS } from "../limits.ts";

const expired = {
  status: 400,
  when: "`Session expired`: the session is unknown, or was idle for 30 minutes. Nothing else is answered 400.",
};

type Row = Pick<Operation, "id" | "method" | "path" | "summary" | "answer"> & {
  readonly domainKey: boolean;
} & Partial<Pick<Operation, "query" | "body" | "bodyOptional">>;

/** One with a session. Every path is there without its version as well. */
function row(one: Row): Operation {
  return {
    credentials: "session",
    status: 200,
    aliases: [one.path.replace("/v1", "")],
    ...one,
    errors: [expired, ...COMMON_ERRORS],
  };
}

function withoutSession(one: Row): Operation {
  return { ...row(one), credentials: "token", errors: COMMON_ERRORS };
}

/** The conversation engine (seed.md 8; chatbot.md 3), below `apis.chatbot`. */
export const CHATBOT_OPERATIONS: readonly Operation[] = [
  withoutSession({
    id: "chatbot.start",
    domainKey: true,
    method: "POST",
    path: "/v1/conversation",
    summary:
      "Begins a conversation. The headers `x-inbenta-env`, `x-inbenta-user-type` and `x-inbenta-source` say for whom.",
    body: conversationStart,
    bodyOptional: true,
    answer: startedConversation,
  }),
  row({
    id: "chatbot.send",
    domainKey: true,
    method: "POST",
    path: "/v1/conversation/message",
    summary:
      "One turn: `directCall`, else `option`, else `message`. A preset answer is told by its flag, a message over 256 characters too.",
    body: turn,
    bodyOptional: true,
    answer: answers,
  }),
  row({
    id: "chatbot.history",
    domainKey: true,
    method: "GET",
    path: "/v1/conversation/history",
    summary: "What was said, oldest first, in the engine's words.",
    answer: history,
  }),
  row({
    id: "chatbot.variables",
    domainKey: true,
    method: "GET",
    path: "/v1/conversation/variables",
    summary:
      "The conversation's variables by lower-case name, the engine's own `sys_…` among them.",
    answer: variables,
  }),
  row({
    id: "chatbot.setVariable",
    domainKey: true,
    method: "POST",
    path: "/v1/conversation/variables",
    summary:
      "Sets a variable. `success` is false for one of the engine's, or one too many or too long.",
    body: oneVariable,
    answer: done,
  }),
  row({
    id: "chatbot.setVariables",
    domainKey: true,
    method: "POST",
    path: "/v1/conversation/variables/multiple",
    summary: "Sets all of these variables, or none.",
    body: manyVariables,
    answer: done,
  }),
  row({
    id: "chatbot.track",
    domainKey: true,
    method: "POST",
    path: "/v1/tracking/events",
    summary:
      "Records an event. `rate` and `click` need a code that an answer of this conversation came with.",
    body: trackedEvent,
    answer: done,
  }),
  withoutSession({
    id: "chatbot.appData",
    domainKey: true,
    method: "GET",
    path: "/v1/app/data/{id}",
    summary: "Named values, all or those called `name`. An unknown id has none.",
    query: z.object({ name: z.string().max(LIMITS.name).optional() }),
    answer: appData,
  }),
];
