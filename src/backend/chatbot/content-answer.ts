import type { ContentAction, ContentItem } from "../content/types.ts";
import type { SessionSettings } from "../storage/types.ts";
import { saying, toActions } from "./answer.ts";
import type { Answer } from "./answer.ts";

export interface ContentAnswerParts {
  readonly item: ContentItem;
  /** The texts of the content that this answer says. */
  readonly texts: readonly string[];
  /** The contents offered below it; none, no related title. */
  readonly related: readonly ContentItem[];
  readonly relatedTitle: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly settings: SessionSettings;
  /** `<content>.<turn>`: tells later which answer was rated or clicked. */
  readonly code: string;
  /** Puts the conversation's variables into the data of actions. */
  readonly fill: (template: string) => string;
}

/** The answer that a content gives. */
export function contentAnswer(parts: ContentAnswerParts): Answer {
  const { item, related, relatedTitle, score, settings, code } = parts;
  const own: Readonly<Record<string, string>> = {
    ...item.attributes,
    title: item.title,
    inbMainTitle: item.title,
    ANSWER_TEXT: parts.texts.join("\n"),
    SIDEBUBBLE_TEXT: item.sideBubble,
    ...(item.directCall !== null &&
      !Object.hasOwn(item.attributes, "DIRECT_CALL") && { DIRECT_CALL: item.directCall }),
  };
  const sideBubble = settings.sideBubbleAttributes.flatMap((name) => textsOf(name, own, []));
  const shown = settings.answerAttributes.flatMap((name) => textsOf(name, own, parts.texts));
  const filled = ({ callback, data }: ContentAction): ContentAction => {
    const values = Object.entries(data).map(([name, text]) => [name, parts.fill(text)] as const);
    return { callback, data: Object.fromEntries(values) };
  };
  return {
    // An empty message makes clients drop the answer: whatever was asked for, the answer's own text
    // is said.
    ...saying(shown.length > 0 ? shown : parts.texts),
    flags: flagsOf(own),
    attributes: { ...own, SIDEBUBBLE_TEXT: sideBubble.join("\n") },
    ...(item.actions.length > 0 && { actions: toActions(item.actions.map(filled)) }),
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

/** The texts under an attribute's name that are not blank. The answer's own are several. */
function textsOf(
  name: string,
  attributes: Readonly<Record<string, string>>,
  answers: readonly string[],
): readonly string[] {
  const own = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const texts = name === "ANSWER_TEXT" && answers.length > 0 ? answers : [own ?? ""];
  return texts.filter((text) => text.trim() !== "");
}

/**
 * The flags that are no direct answers (chatbot.md 4.2), from the attributes by which a bot master
 * sets them.
 */
function flagsOf(attributes: Readonly<Record<string, string>>): readonly string[] {
  const says = (name: string, words: readonly string[]): boolean =>
    Object.hasOwn(attributes, name) && words.includes(attributes[name]?.trim().toLowerCase() ?? "");
  return [
    ...(says("ESCALATE", ["true", "1", "yes"]) ? ["escalate"] : []),
    ...(says("RATINGS", ["false", "0", "no"]) ? ["no-rating"] : []),
  ];
}
