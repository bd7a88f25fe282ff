import { z } from "zod";
import { COMMON_ERRORS, operationsOf, createRow } from "../call/operation.ts";
import type { Operation } from "../call/operation.ts";
import { LIMITS } from "../call/limits.ts";
import { FLAGS } from "../../direct-answers/flags.ts";
import {
  acceptAnything,
  listOf,
  acceptText,
  booleanLike,
  acceptRecord,
  wholeNumber,
} from "../call/fields.ts";

/** Shapes of requests: missing or unusable members get defaults, unknown ones have no effect. */

const conversationStart = z.object({
  lang: acceptText(LIMITS.id).optional(),
  answers: z
    .object({
      answerAttributes: listOf(acceptText(100), 50).optional(),
      sideBubbleAttributes: listOf(acceptText(100), 50).optional(),
      maxOptions: wholeNumber.optional(),
      maxRelatedContents: wholeNumber.optional(),
      skipLastCheckQuestion: booleanLike.optional(),
    })
    .optional(),
  forms: z
    .object({
      allowUserToAbandonForm: booleanLike.optional(),
      errorRetries: wholeNumber.optional(),
    })
    .optional(),
});

/** Only one member takes effect: `directCall` before `option` before `message`. */
const turn = z.object({
  message: acceptText(LIMITS.question).optional(),
  option: z.union([z.int(), z.string().max(LIMITS.question)]).optional(),
  directCall: acceptText(LIMITS.question).optional(),
});

const variable = { name: acceptText(100), value: acceptText(LIMITS.answer).nullable() };

const oneVariable = z.object(variable);

const manyVariables = z.object({
  variables: z.union([
    z.array(z.object(variable)).max(200),
    acceptRecord(acceptText(LIMITS.answer).nullable()),
  ]),
});

const trackedEvent = z.object({
  type: acceptText(100),
  data: acceptAnything(LIMITS.answer).optional(),
});

const sessionUser = z.object({ data: acceptRecord(acceptAnything(LIMITS.answer)) });

// The surveys are ticketing's, but clients of the chatbot call the answers `fieldAnswers`.
export const chatbotSurveySubmission = z.object({
  token: acceptText(LIMITS.secret),
  fieldAnswers: acceptRecord(acceptText(LIMITS.answer)).default({}),
});

/** Shapes of answers, as the engine gives them. */

const startedConversation = z.object({
  sessionToken: z.string().min(1),
  sessionId: z.string().min(1),
});

const texts = z.record(z.string(), z.string());
const attributes = z.record(z.string(), z.unknown());

// Neither is ever empty, because clients drop answers without words.
const words = { message: z.string().min(1), messageList: z.array(z.string()).min(1) };

const option = z.object({
  label: z.string(),
  value: z.int(),
  attributes: attributes.optional(),
  revisitableLink: z.string().optional(),
});

const actionField = z.object({
  fieldType: z.enum(["list", "datePicker", "default"]),
  disableInput: z.boolean(),
  actionFieldId: z.string(),
  variableName: z.string(),
  listValues: z
    .object({
      displayType: z.enum(["buttons", "dropdown"]),
      values: z.array(z.object({ label: z.array(z.string()).length(1), option: z.string() })),
    })
    .optional(),
});

const contents = z.object({
  title: z.string(),
  trackingCode: z.object({ clickCode: z.string(), rateCode: z.string() }),
  related: z
    .object({
      relatedTitle: z.string(),
      relatedContents: z.array(z.object({ id: z.int(), title: z.string() })),
    })
    .optional(),
});

const answer = z.object({
  type: z.enum(["answer", "polarQuestion", "multipleChoiceQuestion"]),
  ...words,
  options: z.array(option).nullable(),
  actionField: actionField.nullable(),
  flags: z.array(z.enum([...FLAGS, "escalate", "no-rating"])),
  attributes,
  actions: z
    .array(z.object({ parameters: z.object({ callback: z.string(), data: texts.optional() }) }))
    .optional(),
  intent: z.object({ type: z.string(), score: z.number() }).optional(),
  parameters: z.object({ contents: contents.nullable() }),
});

const answers = z.object({ answers: z.array(answer).min(1) });

const history = z.array(
  z.object({ user: z.enum(["user", "bot"]), ...words, datetime: z.iso.datetime() }),
);

const variables = z.record(z.string(), z.object({ value: z.string() }));

/** `message` gives the reason when `success` is false. */
const done = z.object({ success: z.boolean(), message: z.string().optional() });

const appData = z.object({
  results: z.array(z.object({ name: z.string(), value: z.unknown() })),
});

const expired = {
  status: 400,
  when: "`Session expired`: the session is unknown, or was idle for 30 minutes. Nothing else is answered 400.",
};

const inSession = { domainKey: true, credentials: "session", errors: [expired] } as const;

const unknownSurvey = { status: 404, when: "There is no such survey." };

/** The conversation engine (seed.md 8; chatbot.md 3), below `apis.chatbot`. */
export const CHATBOT_OPERATIONS: readonly Operation[] = operationsOf(
  "chatbot",
  { credentials: "token", errors: COMMON_ERRORS },
  {
    start: createRow(
      "Begins a conversation. The headers `x-inbenta-env`, `x-inbenta-user-type` and `x-inbenta-source` say for whom.",
      startedConversation,
      { domainKey: true, body: conversationStart, bodyOptional: true },
    ),
    send: createRow(
      "One turn: `directCall`, else `option`, else `message`. A preset answer is recognised by its flag, as is the answer to a message over 256 characters.",
      answers,
      { ...inSession, body: turn, bodyOptional: true },
    ),
    history: createRow("What was said, oldest first, in the engine's words.", history, inSession),
    variables: createRow(
      "The conversation's variables by lower-case name, the engine's own `sys_…` among them.",
      variables,
      inSession,
    ),
    setVariable: createRow(
      "Sets a variable. `success` is false for one of the engine's, or one too many or too long.",
      done,
      { ...inSession, body: oneVariable },
    ),
    setVariables: createRow("Sets all of these variables, or none.", done, {
      ...inSession,
      body: manyVariables,
    }),
    track: createRow(
      "Records an event. `rate` and `click` need a code that an answer of this conversation came with.",
      done,
      { ...inSession, body: trackedEvent },
    ),
    setSessionUser: createRow("Records what a client knows of the reader.", done, {
      ...inSession,
      body: sessionUser,
    }),
    survey: createRow(
      "A survey of case management. `url` is the value of its setting `url`, or empty.",
      z.object({ id: z.int(), name: z.string(), url: z.string() }),
      { domainKey: true, errors: [unknownSurvey] },
    ),
    startSurvey: createRow(
      "Begins a survey; the token hands it in.",
      z.object({
        id: z.int(),
        token: z.string(),
        pages: z.array(z.unknown()),
        settings: z.array(z.unknown()),
      }),
      { domainKey: true, errors: [unknownSurvey] },
    ),
    submitSurvey: createRow("Hands in a survey, once for each token.", done, {
      domainKey: true,
      body: chatbotSurveySubmission,
      errors: [unknownSurvey, { status: 409, when: "The survey has already been submitted." }],
    }),
    appData: createRow(
      "Named values, all or those called `name`. An unknown id has none.",
      appData,
      {
        domainKey: true,
        query: z.object({ name: z.string().max(LIMITS.name).optional() }),
      },
    ),
  },
);
