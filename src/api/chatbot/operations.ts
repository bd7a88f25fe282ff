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
  lang: acceptText(LIMITS.id)
    .optional()
    .meta({
      description: "The language of the conversation; the default is the project's",
      examples: ["en"],
    }),
  answers: z
    .object({
      answerAttributes: listOf(acceptText(100), 50)
        .optional()
        .describe('Names of attributes that make up `message`; the default is `["ANSWER_TEXT"]`'),
      sideBubbleAttributes: listOf(acceptText(100), 50)
        .optional()
        .describe(
          'Names of attributes that make up `SIDEBUBBLE_TEXT`; the default is `["SIDEBUBBLE_TEXT"]`',
        ),
      maxOptions: wholeNumber
        .optional()
        .describe("How many of several results are offered; the default is 3"),
      maxRelatedContents: wholeNumber
        .optional()
        .describe("How many related contents are offered; the default is 3"),
      skipLastCheckQuestion: booleanLike
        .optional()
        .describe("`true`: the last content is shown without its check question"),
    })
    .optional()
    .describe("What answers have"),
  forms: z
    .object({
      allowUserToAbandonForm: booleanLike
        .optional()
        .describe("`false`: words such as cancel are values; the default is `true`"),
      errorRetries: wholeNumber
        .optional()
        .describe(
          "Unusable values in a row before the form asks whether to go on; the default is 3",
        ),
    })
    .optional()
    .describe("How forms go on after errors"),
});

/** The first of `directCall`, `option` and `message` that is not empty takes effect. */
const turn = z.object({
  message: acceptText(LIMITS.question)
    .optional()
    .meta({
      description: "What the reader typed; an empty first message brings the welcome",
      examples: ["What are your opening hours?"],
    }),
  option: z
    .union([z.int(), z.string().max(LIMITS.question)])
    .optional()
    .describe("The `value` of the option that the reader chose"),
  directCall: acceptText(LIMITS.question)
    .optional()
    .describe("The `DIRECT_CALL` of the content to answer with"),
});

const variable = {
  name: acceptText(100).describe("In any letter case; stored in lower case"),
  value: acceptText(LIMITS.answer).nullable().describe("`null` is stored as an empty text"),
};

const oneVariable = z.object(variable);

const manyVariables = z.object({
  variables: z
    .union([
      z.array(z.object(variable)).max(200),
      acceptRecord(acceptText(LIMITS.answer).nullable()),
    ])
    .describe("A list of names and values, or an object with the values by name"),
});

const trackedEvent = z.object({
  type: acceptText(100).describe("`rate`, `click`, or a name of your own"),
  data: acceptAnything(LIMITS.answer).optional(),
});

const sessionUser = z.object({
  data: acceptRecord(acceptAnything(LIMITS.answer)).describe("Any names and values"),
});

// Case management owns the surveys, but the chatbot's clients send the answers as `fieldAnswers`.
export const chatbotSurveySubmission = z.object({
  token: acceptText(LIMITS.secret).describe("The token from the start of the survey"),
  fieldAnswers: acceptRecord(acceptText(LIMITS.answer))
    .default({})
    .describe("The answers by the id of their question"),
});

/** Shapes of answers, as the engine gives them. */

const startedConversation = z.object({
  sessionToken: z.string().min(1),
  sessionId: z.string().min(1),
});

const texts = z.record(z.string(), z.string());
const attributes = z.record(z.string(), z.unknown());

// Neither member is ever empty, because clients drop answers without words.
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
const outcome = z.object({ success: z.boolean(), message: z.string().optional() });

const appData = z.object({
  results: z.array(z.object({ name: z.string(), value: z.unknown() })),
});

const sessionExpired = {
  status: 400,
  when: "The session is unknown, or ended after 30 minutes without a call (`Session expired`). There is no other cause of this status.",
};

const inSession = { domainKey: true, credentials: "session", errors: [sessionExpired] } as const;

const unknownSurvey = { status: 404, when: "There is no survey with this id." };

/** The conversation engine (seed.md 8; chatbot.md 3), below `apis.chatbot`. */
export const CHATBOT_OPERATIONS: readonly Operation[] = operationsOf(
  "chatbot",
  { credentials: "token", errors: COMMON_ERRORS },
  {
    start: createRow(
      "Starts a conversation in the language `lang` and returns its session token. The headers `x-inbenta-env` and `x-inbenta-user-type` choose the contents that the reader may see. `x-inbenta-source` names the client.",
      startedConversation,
      { domainKey: true, body: conversationStart, bodyOptional: true },
    ),
    send: createRow(
      "Sends what the reader typed or clicked, and returns the engine's answers. Only the first of `directCall`, `option` and `message` that is not empty takes effect. An `option` that was not offered counts as a message. Preset answers have a flag in `flags`; a message of more than 256 characters gets `character-limit-exceeded`.",
      answers,
      { ...inSession, body: turn, bodyOptional: true },
    ),
    history: createRow(
      "Lists what the reader and the bot said, oldest first. The bot's lines are the engine's own, without the changes that a gateway made.",
      history,
      inSession,
    ),
    variables: createRow(
      "Returns the conversation's variables by their names, which are in lower case. Names that begin with `sys_` belong to the engine.",
      variables,
      inSession,
    ),
    setVariable: createRow(
      "Sets a variable of the conversation. `success` is false, and `message` gives the reason, if the name begins with `sys_` or has more than 100 characters, the value has more than 10,000, or the conversation would have more than 200 variables.",
      outcome,
      { ...inSession, body: oneVariable },
    ),
    setVariables: createRow(
      "Sets several variables of the conversation. If one of them cannot be set, none is, and `success` is false.",
      outcome,
      {
        ...inSession,
        body: manyVariables,
      },
    ),
    track: createRow(
      "Records an event of any type, with up to 10,000 characters of data as JSON. Without a code from an answer of this conversation, `rate` and `click` are not recorded, and `success` is false.",
      outcome,
      { ...inSession, body: trackedEvent },
    ),
    setSessionUser: createRow(
      "Records what a client knows about the reader, up to 10,000 characters as JSON.",
      outcome,
      {
        ...inSession,
        body: sessionUser,
      },
    ),
    survey: createRow(
      "Returns the name of a survey of case management, and the address in its setting `url`, which is empty if there is none.",
      z.object({ id: z.int(), name: z.string(), url: z.string() }),
      { domainKey: true, errors: [unknownSurvey] },
    ),
    startSurvey: createRow(
      "Starts a survey. The answer has its pages, and a token to submit it with. Each call returns a new token.",
      z.object({
        id: z.int(),
        token: z.string(),
        pages: z.array(z.unknown()),
        settings: z.array(z.unknown()),
      }),
      { domainKey: true, errors: [unknownSurvey] },
    ),
    submitSurvey: createRow(
      "Submits the answers of a survey that was started. Each token can be used once.",
      outcome,
      {
        domainKey: true,
        body: chatbotSurveySubmission,
        errors: [
          {
            status: 404,
            when: "There is no survey with this id, or none was started with this token.",
          },
          { status: 409, when: "The token has been used: its survey is submitted." },
        ],
      },
    ),
    appData: createRow(
      "Lists the values that the contents hold for front ends under an id, or only those called `name`. For an unknown id, the list is empty.",
      appData,
      {
        domainKey: true,
        query: z.object({
          name: z.string().max(LIMITS.name).optional().describe("Only the values called so"),
        }),
      },
    ),
  },
);
