import { isBlank } from "../../locales/plain-text.ts";
import { countOf } from "../http/request-body.ts";
import type { ContentItem } from "../content/types.ts";
import {
  choiceByLabel,
  choiceByOption,
  isOffered,
  readPolarChoice,
  chosenOf,
  toPlainWords,
} from "./chosen.ts";
import { answerPreset, answerUnanswered } from "./presets.ts";
import {
  answerQuestion,
  searchQuestion,
  offer,
  type QuestionOutcome,
  askCheck,
  type OpenChecks,
} from "./question.ts";
import { contentOf, keepOpen, withSession } from "./turn-context.ts";
import type { TurnContext, BotTurn } from "./turn-context.ts";
import { show } from "./show.ts";
import { type WrittenMessage, type TurnRequest, isTooLong } from "./turn-request.ts";
import type { Flag } from "../../direct-answers/flags.ts";
import { answerForm } from "../forms/machine.ts";
import type { FormDefinition, FormState } from "../forms/types.ts";
import { formContext, takeStep, toAnswer } from "./form-lines.ts";
import type { OpenDialogue, Session } from "../storage/types.ts";
import { createDirectAnswer } from "./answer.ts";

// After this many messages without a result the options are closed.
const maxMisses = 2;

/** Options or check questions that wait for the reader. */
type OpenOptions = Exclude<OpenDialogue, { kind: "form" }>;

/**
 * Answers a message that is none of the options the reader was offered (`ids`). The flag
 * `no-subset-match` says so; what the message finds in the whole of the contents follows it in the
 * same response. One that finds nothing leaves the options open for another turn. One that finds
 * some of the very options only narrows them down, and gets no flag.
 */
async function answerAstray(
  context: TurnContext,
  open: OpenOptions,
  ids: readonly number[],
  text: string,
): Promise<BotTurn> {
  const asked = searchQuestion(context, text);
  const answer = createDirectAnswer("no-subset-match", context.texts["no-subset-match"]);
  if (asked.outcome.kind === "none") {
    const { session } = asked.context;
    const misses = open.misses + 1;
    return {
      answers: [answer],
      session: {
        ...session,
        unanswered: session.unanswered + 1,
        open: misses < maxMisses ? { ...open, misses } : null,
      },
      userText: text,
    };
  }
  const turn = await answerQuestion(asked);
  return isAmong(asked.outcome, ids) ? turn : { ...turn, answers: [answer, ...turn.answers] };
}

function isAmong(outcome: QuestionOutcome, ids: readonly number[]): boolean {
  switch (outcome.kind) {
    case "one":
      return ids.includes(outcome.result.item.id);
    case "several":
      return outcome.results.every(({ item }) => ids.includes(item.id));
    default:
      return false;
  }
}

/** Answers one request, pure but for the context's session and the forms it submits. */
export async function takeTurn(context: TurnContext, asked: TurnRequest): Promise<BotTurn> {
  if (asked.kind === "direct-call") return jump(context, asked.name);
  const request = refuseOverLimit(context, asked);
  if (request === null) {
    return keepOpen(context, await answerPreset(context, "character-limit-exceeded", asked.text));
  }
  const { open } = context;
  const inForm = open?.kind === "form" ? await answerInForm(context, open.form, request) : null;
  if (inForm !== null) return inForm;
  if (isBlank(request.text)) return answerEmptyMessage(context);

  const related = relatedOf(context, request);
  if (related !== null) return show(context, related, { userText: related.title });
  switch (open?.kind) {
    case "choice":
      return answerChoice(context, open, request);
    case "checks":
      return answerCheck(context, open, request);
    default:
      return answerQuestion(searchQuestion(context, request.text));
  }
}

/** Answers an empty message: the welcome comes once, and later ones are no question. */
async function answerEmptyMessage(context: TurnContext): Promise<BotTurn> {
  return context.session.welcomed
    ? keepOpen(context, await answerPreset(context, "no-question", ""))
    : keepOpen(context, await answerWelcome(context));
}

/** Null when too long. Beside an offered option a message says nothing, however long. */
function refuseOverLimit(context: TurnContext, message: WrittenMessage): WrittenMessage | null {
  if (!isTooLong(message.text)) return message;
  const { option } = message;
  return option !== null && isOffered(context, option) ? { ...message, text: option } : null;
}

/** The related content of an option or a title; a question's options take precedence. */
function relatedOf(context: TurnContext, { option, text }: WrittenMessage): ContentItem | null {
  const { open, offered } = context;
  const choices = open?.kind === "choice" ? open.choices : [];
  if (option !== null && choiceByOption(context, choices, option) !== null) return null;
  const id = option === null ? null : countOf(option);
  if (id !== null && offered.includes(id)) return contentOf(context, id);
  if (offered.length === 0 || choiceByLabel(context, choices, text) !== null) return null;
  const typed = toPlainWords(text);
  const related = offered.flatMap((one) => contentOf(context, one) ?? []);
  return related.find(({ title }) => toPlainWords(title) === typed) ?? null;
}

/** Direct calls that the engine answers itself when no visible content has the name. */
const presets: ReadonlyMap<string, Flag> = new Map([
  ["sys-welcome", "welcome"],
  ["sys-no-results", "no-results"],
]);

/**
 * Jumps to the content of a direct-call name, even a hidden one. Only an unknown name gives
 * `conversation-error-message`.
 */
async function jump(before: TurnContext, name: string): Promise<BotTurn> {
  const context = name === "sys-welcome" ? markWelcomed(before) : before;
  const named = context.index.byDirectCall.get(name);
  const item = named === undefined ? null : contentOf(context, named.id);
  const flag = presets.get(name);
  // A content that replaces a preset answer does not count as an answered question.
  if (item !== null) return show(context, item, { userText: "", answered: flag === undefined });
  return flag === undefined
    ? keepOpen(before, await answerPreset(before, "conversation-error-message", ""))
    : answerPreset(context, flag, "");
}

/** The welcome: once before the reader's first words, and whenever a client asks for it. */
function answerWelcome(context: TurnContext): Promise<BotTurn> {
  return answerPreset(markWelcomed(context), "welcome", "");
}

function markWelcomed(context: TurnContext): TurnContext {
  return withSession(context, { ...context.session, welcomed: true });
}

/** Answers the reader within a form. Null when the form no longer exists. */
async function answerInForm(
  context: TurnContext,
  state: FormState,
  request: WrittenMessage,
): Promise<BotTurn | null> {
  const form = contentOf(context, state.content)?.form ?? null;
  if (form === null) return null;
  const { option, text } = request;
  const polar =
    option === null || state.step === "asking" ? null : readPolarChoice(context, option);
  const step = answerForm(formContext(context, state.content, form), state, { text, polar });
  const outcome = await takeStep(context, state.content, form, step);

  const isLeaving = context.recognition.isCancel(text, context.session.language);
  const session = isLeaving ? outcome.session : noteTyped(outcome.session, state, form, text);
  let turn: BotTurn = { answers: [], session, userText: text };
  for (const line of outcome.lines) {
    // This is the only text of a form that a bot's owner can customize with a content.
    const answer =
      line.flag === "follow-up-question"
        ? await answerPreset(withSession(context, turn.session), line.flag, text)
        : { answers: [toAnswer(context, line)], session: turn.session };
    turn = { ...turn, answers: [...turn.answers, ...answer.answers], session: answer.session };
  }
  return turn;
}

/** Notes the value that a reader typed for a field, unless the form itself offers the values. */
function noteTyped(
  session: Session,
  { step, field }: FormState,
  { fields }: FormDefinition,
  text: string,
): Session {
  const asked = fields.find(({ name }) => name === field);
  if (step !== "asking" || asked === undefined || asked.type === "list") return session;
  return { ...session, typed: [...session.typed, text].slice(-maxTyped) };
}

/** As many fields as a form may have. */
const maxTyped = 50;

/** Answers the reply to a check question: yes shows the content, no goes on to the next. */
function answerCheck(
  context: TurnContext,
  open: OpenChecks,
  request: WrittenMessage,
): Promise<BotTurn> {
  const { option, text } = request;
  const [asked = -1, ...others] = open.contents;
  const rest = others.filter((id) => contentOf(context, id) !== null);
  const polar =
    (option === null ? null : readPolarChoice(context, option)) ?? readPolarChoice(context, text);
  if (polar === "no") return askCheck(context, rest, polar);
  const item = contentOf(context, asked);
  if (polar === "yes") {
    if (item !== null) return show(context, item, { userText: polar });
    // The content was removed in the meantime. Without another one, nothing is left to show.
    return rest.length > 0
      ? askCheck(context, rest, polar)
      : answerUnanswered(context, "no-results", polar);
  }
  return answerOther(context, open, text);
}

/** A text that is neither yes nor no may name one of the waiting contents. */
function answerOther(context: TurnContext, open: OpenChecks, text: string): Promise<BotTurn> {
  const waiting = open.contents.flatMap((id) => contentOf(context, id) ?? []);
  const titles = waiting.map(({ id, title }) => ({ value: id, label: title, content: id }));
  const named = chosenOf(context, titles, { kind: "message", option: null, text });
  const item = waiting.find(({ id }) => id === named?.content);
  if (item !== undefined) return show(context, item, { userText: text });
  return answerAstray(context, open, open.contents, text);
}

/** Answers what the reader says after several options were offered. */
function answerChoice(
  context: TurnContext,
  open: Extract<OpenDialogue, { kind: "choice" }>,
  request: WrittenMessage,
): Promise<BotTurn> {
  // Contents that were removed since then can't be chosen any more.
  const choices = open.choices.filter(({ content }) => contentOf(context, content) !== null);
  const choice = chosenOf(context, choices, request);
  const item = choice === null ? null : contentOf(context, choice.content);
  if (choice !== null && item !== null) return show(context, item, { userText: choice.label });
  const { text } = request;
  const waiting = open.waiting.flatMap((id) => contentOf(context, id) ?? []);
  const [next, ...others] = waiting;
  if (next !== undefined && context.recognition.polarOf(text, context.session.language) === "no") {
    return others.length === 0
      ? show(context, next, { userText: text })
      : offer(context, waiting, text);
  }
  const ids = [...choices.map(({ content }) => content), ...waiting.map(({ id }) => id)];
  return answerAstray(context, { ...open, choices }, ids, text);
}
