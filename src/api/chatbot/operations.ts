import { z } from "zod";
import { COMMON_ERRORS, operationsOf, row } from "../operation.ts";
import type { Operation } from "../operation.ts";
import { answers, appData, done, history, startedConversation, variables } from "./answers.ts";
import { conversationStart, manyVariables, oneVariable, trackedEvent, turn } from "./schema.ts";
import { LIMITS } from "../limits.ts";

const expired = {
  status: 400,
  when: "`Session expired`: the session is unknown, or was idle for 30 minutes. Nothing else is answered 400.",
};

const inSession = { domainKey: true, credentials: "session", errors: [expired] } as const;

/** The conversation engine (seed.md 8; chatbot.md 3), below `apis.chatbot`. */
export const CHATBOT_OPERATIONS: readonly Operation[] = operationsOf(
  "chatbot",
  { credentials: "token", errors: COMMON_ERRORS },
  {
    start: row(
      "Begins a conversation. The headers `x-inbenta-env`, `x-inbenta-user-type` and `x-inbenta-source` say for whom.",
      startedConversation,
      { domainKey: true, body: conversationStart, bodyOptional: true },
    ),
    send: row(
      "One turn: `directCall`, else `option`, else `message`. A preset answer is told by its flag, a message over 256 characters too.",
      answers,
      { ...inSession, body: turn, bodyOptional: true },
    ),
    history: row("What was said, oldest first, in the engine's words.", history, inSession),
    variables: row(
      "The conversation's variables by lower-case name, the engine's own `sys_…` among them.",
      variables,
      inSession,
    ),
    setVariable: row(
      "Sets a variable. `success` is false for one of the engine's, or one too many or too long.",
      done,
      { ...inSession, body: oneVariable },
    ),
    setVariables: row("Sets all of these variables, or none.", done, {
      ...inSession,
      body: manyVariables,
    }),
    track: row(
      "Records an event. `rate` and `click` need a code that an answer of this conversation came with.",
      done,
      { ...inSession, body: trackedEvent },
    ),
    appData: row("Named values, all or those called `name`. An unknown id has none.", appData, {
      domainKey: true,
      query: z.object({ name: z.string().max(LIMITS.name).optional() }),
    }),
  },
);
