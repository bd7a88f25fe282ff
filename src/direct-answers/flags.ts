/**
 * The specification's row of each direct answer (seed.md 8.2), in alphabetical order. A new flag is
 * a row here; its name is then part of `Flag`, and every list of flags has it.
 */
const rows = {
  "all-options-discarded": {
    text: "It seems like none of the options I found are helpful. Please search for another word or phrase.",
    described: false,
    returnedWhen: "The user answers no to every option of a set of check questions.",
    customizable: true,
    defaultContent: true,
  },
  "character-limit-exceeded": {
    text: "Your question is longer than 256 characters. Please ask it in a shorter phrase.",
    described: true,
    returnedWhen: "The message is too long.",
    customizable: false,
    defaultContent: false,
  },
  "conversation-error-message": {
    text: "An error occurred and the last action could not be performed. You can keep chatting.",
    described: true,
    returnedWhen: "A directCall request failed.",
    customizable: false,
    defaultContent: false,
  },
  "end-form": {
    text: "Your inquiry has been submitted",
    described: false,
    returnedWhen: "A form without a webhook finished.",
    customizable: false,
    defaultContent: false,
  },
  "follow-up-question": {
    alias: "conversation-link",
    text: "Please tell me how else I can help you.",
    described: false,
    returnedWhen: "The user cancelled a form after failing to complete it.",
    customizable: true,
    defaultContent: false,
  },
  "form-continue": {
    text: "Do you want to continue with this form?",
    described: false,
    returnedWhen: "After a field error message.",
    customizable: false,
    defaultContent: false,
  },
  "form-retry": {
    text: "Would you like to try to fill in this form again?",
    described: false,
    returnedWhen: "The webhook returned a recoverable error that names the invalid fields.",
    customizable: false,
    defaultContent: false,
  },
  "generic-error-message": {
    text: "The format of your answer is not valid",
    described: false,
    returnedWhen:
      "The user enters an invalid value in a form field and the bot master defined no error message.",
    customizable: false,
    defaultContent: false,
  },
  "multiple-options": {
    text: "Maybe these answers will help you",
    described: false,
    returnedWhen:
      "A chained content has multiple options, or there are multiple results without refinement and one result lacks the check question attribute.",
    customizable: false,
    defaultContent: false,
  },
  "no-question": {
    text: "Please ask me a question",
    described: false,
    returnedWhen: "The user sent an empty message and the welcome message was already displayed.",
    customizable: true,
    defaultContent: false,
  },
  "no-results": {
    text: "Sorry, we could not find any answers to your question.",
    described: false,
    returnedWhen: "No intent found.",
    customizable: true,
    defaultContent: true,
  },
  "no-subset-match": {
    text: "It seems like you want to talk about something else",
    described: false,
    returnedWhen:
      "In multiple or chained content, the user message matches none of the available options.",
    customizable: false,
    defaultContent: false,
  },
  refinement: {
    text: "Please give me some more information about what you want to know.",
    described: false,
    returnedWhen: "Too many results, refinement needed.",
    customizable: false,
    defaultContent: false,
  },
  "webhook-bad-request": {
    text: "Sorry, we could not complete your request",
    described: false,
    returnedWhen: "A webhook returns an invalid response.",
    customizable: false,
    defaultContent: false,
  },
  "webhook-wrong-field": {
    text: "Sorry, we could not complete your request",
    described: false,
    returnedWhen:
      "A webhook returns invalid fields that do not appear in the current form. Not recoverable.",
    customizable: false,
    defaultContent: false,
  },
  welcome: {
    text: "Hello, how can I help you?",
    described: false,
    returnedWhen: "First message of a conversation.",
    customizable: true,
    defaultContent: true,
  },
} satisfies Readonly<Record<string, Row>>;

/** The name of a direct answer as the engine puts it into `flags`. */
export type Flag = keyof typeof rows;

/** Every flag: the 16 of the specification, in its order. */
export const FLAGS: readonly Flag[] = Object.freeze(Object.keys(rows).filter(isFlag));

function isFlag(name: string): name is Flag {
  return Object.hasOwn(rows, name);
}

/** The specification's facts about one direct answer (seed.md 8.2). */
export interface FlagFacts {
  readonly name: Flag;
  /** An earlier name of the flag: accepted on the wire and, with a warning, in YAML. */
  readonly alias: string | null;
  /** The engine's default English text; Afterword's where the specification only describes it. */
  readonly text: string;
  /** True when the specification describes the default text instead of quoting it. */
  readonly described: boolean;
  readonly returnedWhen: string;
  /** True when it can be customized in the engine, which then returns no flag (Chatbot rule 1). */
  readonly customizable: boolean;
  /** True when newer instances ship default content that hides the flag (Chatbot rule 2). */
  readonly defaultContent: boolean;
}

type Row = Omit<FlagFacts, "name" | "alias"> & { readonly alias?: string };

/** The facts of every flag, in the order of `FLAGS`. */
export const FLAG_FACTS: readonly FlagFacts[] = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ FLAGS.map((name) => Object.freeze({ name, alias: null, ...rows[name] })),
);

/** The flags that a content of the bot's owner may answer in place of (Chatbot rule 1). */
export const CUSTOMIZABLE_FLAGS: readonly Flag[] = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ FLAGS.filter((name) => rows[name].customizable),
);

const byName: ReadonlyMap<string, Flag> = new Map(
  FLAGS.flatMap((name) => {
    const { alias }: Row = rows[name];
    return alias === undefined
      ? [[name, name]]
      : [
          [name, name],
          [alias, name],
        ];
  }),
);

/**
 * The flag that a member of `flags` or a YAML key names, or null for anything else. Exact spelling;
 * the old name `conversation-link` is follow-up-question.
 *
 * @example
 * toFlag("conversation-link"); // "follow-up-question"
 * toFlag("no-rating"); // null: a flag of the engine, but no direct answer
 */
export function toFlag(name: string): Flag | null {
  return byName.get(name) ?? null;
}
