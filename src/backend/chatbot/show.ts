import type { Attributes, ContentItem } from "../content/types.ts";
import { readTextAttribute, readTruthAttribute } from "../content/attributes.ts";
import type { ContentAction } from "../forms/types.ts";
import type { OpenChoice, Session, SessionSettings } from "../storage/types.ts";
import {
  createMultipleChoice,
  createMultipleOptions,
  POLAR_VALUES,
  createPolarAnswer,
  createAnswer,
  toActions,
} from "./answer.ts";
import type { BotAnswer } from "./answer.ts";
import { startForm } from "./form-lines.ts";
import { contentOf } from "./turn-context.ts";
import type { TurnContext, BotTurn } from "./turn-context.ts";
import { fillData } from "../forms/slots.ts";
import { variablesOf } from "./system-variables.ts";

/** How a content came to be shown. */
export interface ContentCause {
  readonly userText: string;
  /** How well it fits the question, from 0 to 1. */
  readonly score?: number;
  /** False when it stands in for a preset answer: then the turn still counts as unanswered. */
  readonly answered?: boolean;
}

// The codes of a conversation's latest answers are kept, because older ones are not rated.
const keptCodes = 100;

/** Shows a content: what it says, then its form or the question that its options ask. */
export async function show(
  context: TurnContext,
  item: ContentItem,
  how: ContentCause,
): Promise<BotTurn> {
  const { userText, score = 1, answered = true } = how;
  const code = `${item.id}.${context.session.turns}`;
  const related = item.related
    .flatMap((id) => contentOf(context, id) ?? [])
    .slice(0, context.session.settings.maxRelatedContents);
  const session: Session = {
    ...context.session,
    ...(answered && { unanswered: 0 }),
    offered: related.map(({ id }) => id),
    codes: [...context.session.codes, code].slice(-keptCodes),
  };
  const way = item.form === null ? continuationOf(context, item) : showInPlace(item);
  const answer = createContentAnswer({
    item,
    texts: way.texts,
    related,
    relatedTitle: context.texts["related-title"],
    score,
    settings: session.settings,
    code,
    fill: createFiller(session),
  });
  const turn: BotTurn = {
    answers: way.ask(answer),
    session: { ...session, open: way.open },
    userText,
  };
  return item.form === null ? turn : startForm(context, item, item.form, turn);
}

/** The texts of a content, and the question that its options ask. */
interface Continuation {
  readonly texts: readonly string[];
  readonly ask: (answer: BotAnswer) => readonly BotAnswer[];
  readonly open: Session["open"];
}

function showInPlace(item: ContentItem): Continuation {
  return { texts: item.answers, ask: (answer) => [answer], open: null };
}

function continuationOf(context: TurnContext, item: ContentItem): Continuation {
  const options = item.options.flatMap((option) => {
    const target = contentOf(context, option.content);
    return target === null ? [] : [{ option, target }];
  });
  if (options.length === 0) return showInPlace(item);

  const polar = options.map(({ option }) =>
    context.recognition.polarOf(option.label, context.index.language),
  );
  if (polar.length === 2 && polar.includes("yes") && polar.includes("no")) {
    // Options that are yes and no make a polar question.
    return showQuestion(
      item,
      createPolarAnswer(lastTextOf(item)),
      options.map(({ option }, index) => ({
        label: polar[index] ?? "no",
        value: POLAR_VALUES[polar[index] ?? "no"],
        content: option.content,
      })),
    );
  }
  const offered = options.map(({ option, target }) => {
    const { directCall } = target;
    const isLink = option.revisitable && directCall !== null;
    return {
      label: option.label,
      value: target.id,
      // Clients that go back to an option read the name to call from either of these members.
      attributes: {
        title: target.title,
        ...(isLink && { DIRECT_CALL: directCall }),
        ...option.attributes,
      },
      ...(isLink && { revisitableLink: directCall }),
    };
  });
  const choices = options.map(({ option, target }) => ({
    label: option.label,
    value: target.id,
    content: target.id,
  }));
  if (choices.length === 1) {
    return showQuestion(item, createMultipleChoice(lastTextOf(item), offered), choices);
  }
  const question = createMultipleOptions(context.texts["multiple-options"], offered);
  return { texts: item.answers, ask: (answer) => [answer, question], open: toOpenChoice(choices) };
}

/** The content's last text is the question itself, in the owner's words and so without a flag. */
function showQuestion(
  item: ContentItem,
  question: BotAnswer,
  choices: readonly OpenChoice[],
): Continuation {
  const open = toOpenChoice(choices);
  return item.answers.length > 1
    ? { texts: item.answers.slice(0, -1), ask: (answer) => [answer, question], open }
    : {
        texts: item.answers,
        ask: (answer) => [{ ...answer, type: question.type, options: question.options }],
        open,
      };
}

function lastTextOf(item: ContentItem): string {
  return item.answers.at(-1) ?? item.title;
}

function toOpenChoice(choices: readonly OpenChoice[]): Session["open"] {
  return { kind: "choice", choices, waiting: [], misses: 0 };
}

/**
 * Inserts variables into texts that programs read; a variable without a value becomes an empty
 * text.
 */
function createFiller(session: Session): (template: string) => string {
  const variables = variablesOf(session);
  return (template) => fillData(template, (name) => variables.get(name.toLowerCase()) ?? null);
}

interface ContentAnswerParts {
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
function createContentAnswer(parts: ContentAnswerParts): BotAnswer {
  const { item, related, relatedTitle, score, settings, code } = parts;
  const own: Attributes = {
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
  const fillAction = ({ callback, data }: ContentAction): ContentAction => {
    const values = Object.entries(data).map(([name, text]) => [name, parts.fill(text)] as const);
    return { callback, data: Object.fromEntries(values) };
  };
  return {
    // Clients drop an answer with an empty message, so the answer's own text is always said.
    ...createAnswer(shown.length > 0 ? shown : parts.texts),
    flags: flagsOf(own),
    attributes: { ...own, SIDEBUBBLE_TEXT: sideBubble.join("\n") },
    ...(item.actions.length > 0 && { actions: toActions(item.actions.map(fillAction)) }),
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
  attributes: Attributes,
  answers: readonly string[],
): readonly string[] {
  const own = readTextAttribute(attributes, name) ?? "";
  const texts = name === "ANSWER_TEXT" && answers.length > 0 ? answers : [own];
  return texts.filter((text) => text.trim() !== "");
}

/** The flags that are no direct answers (chatbot.md 4.2), from a content's attributes. */
function flagsOf(attributes: Attributes): readonly string[] {
  return [
    ...(readTruthAttribute(attributes, "ESCALATE") === true ? ["escalate"] : []),
    ...(readTruthAttribute(attributes, "RATINGS") === false ? ["no-rating"] : []),
  ];
}
