import type { Flag } from "../../direct-answers/flags.ts";
import type { Attributes } from "../content/types.ts";
import type { ContentAction } from "../forms/types.ts";

/** An answer in the response of the message route (chatbot.md 3.5). */
export interface BotAnswer {
  readonly type: "answer" | "polarQuestion" | "multipleChoiceQuestion";
  readonly message: string;
  readonly messageList: readonly string[];
  readonly options: readonly OfferedOption[] | null;
  readonly actionField: object | null;
  readonly flags: readonly string[];
  readonly attributes: Attributes;
  readonly actions?: readonly AnswerAction[];
  readonly intent?: { readonly type: string; readonly score: number };
  readonly parameters: { readonly contents: AnswerContents | null };
}

/** An option of a question; clients send `value` (`option`) or `revisitableLink` (`directCall`). */
export interface OfferedOption {
  readonly label: string;
  readonly value: number;
  readonly attributes?: Attributes;
  readonly revisitableLink?: string;
}

export interface AnswerAction {
  readonly parameters: {
    readonly callback: string;
    readonly data?: Readonly<Record<string, string>>;
  };
}

/** The description of the content that an answer came from (chatbot.md 3.6). */
export interface AnswerContents {
  readonly title: string;
  readonly trackingCode: { readonly clickCode: string; readonly rateCode: string };
  readonly related?: {
    readonly relatedTitle: string;
    readonly relatedContents: readonly { readonly id: number; readonly title: string }[];
  };
}

/** An answer of text only; several texts are one message with line breaks. */
export function createAnswer(texts: readonly string[]): BotAnswer {
  return {
    type: "answer",
    message: texts.join("\n"),
    messageList: texts,
    options: null,
    actionField: null,
    flags: [],
    attributes: {},
    parameters: { contents: null },
  };
}

/** A preset answer, recognised by its flag. */
export function createDirectAnswer(flag: Flag, text: string): BotAnswer {
  return { ...createAnswer([text]), flags: [flag] };
}

/** Active default content: no flag, known by its title only (seed.md, Chatbot rule 2). */
export function createDefaultContent(title: string, text: string): BotAnswer {
  return {
    ...createAnswer([text]),
    attributes: { title, inbMainTitle: title, ANSWER_TEXT: text },
    intent: { type: "AIML", score: 1 },
  };
}

/** The values of a polar question. Neither is 0, which many clients read as no value. */
export const POLAR_VALUES: Readonly<Record<"yes" | "no", number>> = { yes: 1, no: 2 };

/** A yes/no question; its labels are bare keys, which clients translate. */
export function createPolarAnswer(text: string, flags: readonly string[] = []): BotAnswer {
  return {
    ...createAnswer([text]),
    type: "polarQuestion",
    options: (["yes", "no"] as const).map((label) => ({ label, value: POLAR_VALUES[label] })),
    flags,
  };
}

/** A question that offers one content per option. */
export function createMultipleChoice(text: string, options: readonly OfferedOption[]): BotAnswer {
  return { ...createAnswer([text]), type: "multipleChoiceQuestion", options };
}

/** A question that offers one content per option, in the engine's words and with its flag. */
export function createMultipleOptions(text: string, options: readonly OfferedOption[]): BotAnswer {
  return { ...createMultipleChoice(text, options), flags: ["multiple-options"] };
}

/** Writes the actions of the front end for the wire. The values are in its data already. */
export function toActions(actions: readonly ContentAction[]): readonly AnswerAction[] {
  return actions.map(({ callback, data }) => ({
    parameters: { callback, ...(Object.keys(data).length > 0 && { data }) },
  }));
}
