import type { Flag } from "../../direct-answers/flags.ts";
import type { ContentItem } from "../content/types.ts";
import type { Session } from "../storage/types.ts";

/** One answer as it stands in the response of the message route. */
export interface Answer {
  readonly type: "answer";
  readonly message: string;
  readonly messageList: readonly string[];
  readonly options: null;
  readonly actionField: null;
  readonly flags: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly intent?: { readonly type: string; readonly score: number };
  readonly parameters: { readonly contents: AnswerContents | null };
}

/** What an answer says about the content it came from. */
export interface AnswerContents {
  readonly title: string;
  readonly trackingCode: { readonly clickCode: string; readonly rateCode: string };
  readonly related?: {
    readonly relatedTitle: string;
    readonly relatedContents: readonly { readonly id: number; readonly title: string }[];
  };
}

/** A preset answer, told apart by its flag. */
export function directAnswer(flag: Flag, text: string): Answer {
  return {
    ...saying([text]),
    flags: [flag],
    attributes: {},
    parameters: { contents: null },
  };
}

/** Active default content: an ordinary answer without a flag, known by its title only (seed.md, Chatbot rule 2). */
export function defaultContent(title: string, text: string): Answer {
  return {
    ...saying([text]),
    flags: [],
    attributes: { title, inbMainTitle: title, ANSWER_TEXT: text },
    intent: { type: "AIML", score: 1 },
    parameters: { contents: null },
  };
}

export interface ContentAnswerParts {
  readonly item: ContentItem;
  /** The contents offered below it; none, no related title. */
  readonly related: readonly ContentItem[];
  readonly relatedTitle: string;
  readonly score: number;
  readonly session: Session;
}

/** The answer that a content gives. */
export function contentAnswer(parts: ContentAnswerParts): Answer {
  const { item, related, relatedTitle, score, session } = parts;
  const attributes: Readonly<Record<string, string>> = {
    ...item.attributes,
    title: item.title,
    inbMainTitle: item.title,
    ANSWER_TEXT: item.answer,
    SIDEBUBBLE_TEXT: item.sideBubble,
    ...(item.directCall === null ? {} : { DIRECT_CALL: item.directCall }),
  };
  const texts = session.settings.answerAttributes.flatMap((name) =>
    Object.hasOwn(attributes, name) ? (attributes[name] ?? []) : [],
  );
  const shown = texts.filter((text) => text.trim() !== "");
  const code = `${item.id}.${session.turns}`;
  return {
    // An empty message makes clients drop the answer: whatever was asked for, the answer's own text is said.
    ...saying(shown.length > 0 ? shown : [item.answer]),
    flags: [],
    attributes,
    intent: { type: "CONTENT", score: Math.round(score * 1000) / 1000 },
    parameters: {
      contents: {
        title: item.title,
        trackingCode: { clickCode: `click.${code}`, rateCode: `rate.${code}` },
        ...(related.length > 0 && {
          related: {
            relatedTitle,
            relatedContents: related.map(({ id, title }) => ({ id, title })),
          },
        }),
      },
    },
  };
}

/** Several texts are one message, with a line break between them, and each an element of the list. */
function saying(
  texts: readonly string[],
): Pick<Answer, "type" | "message" | "messageList" | "options" | "actionField"> {
  return {
    type: "answer",
    message: texts.join("\n"),
    messageList: texts,
    options: null,
    actionField: null,
  };
}
