import type { ContentItem } from "../content/types.ts";
import { createMultipleOptions, createPolarAnswer } from "./answer.ts";
import { matchingOf } from "./projects.ts";
import { answerPreset, answerUnanswered } from "./presets.ts";
import { type TurnContext, type BotTurn, contentOf } from "./turn-context.ts";
import { show } from "./show.ts";
import { withMatch } from "./system-variables.ts";
import { type Hit, findOfferScore, type SearchResult } from "../../matching/types.ts";
import type { OpenDialogue } from "../storage/types.ts";

/** A question's outcome, and the context whose system variables have the search's measures. */
export interface SearchedQuestion {
  readonly context: TurnContext;
  readonly outcome: QuestionOutcome;
  readonly text: string;
}

/** Searches for the reader's words. A yes or no without a question counts only if it is a title. */
export function searchQuestion(context: TurnContext, text: string): SearchedQuestion {
  const found = context.index.search(text, context.audience);
  const asks =
    context.recognition.polarOf(text, context.session.language) === null ||
    found.hits[0]?.exact === true;
  return {
    context: { ...context, session: withMatch(context.session, found) },
    outcome: asks ? outcomeOf(context, found, text) : { kind: "none" },
    text,
  };
}

/** Answers a question with the result of its search. */
export function answerQuestion({ context, outcome, text }: SearchedQuestion): Promise<BotTurn> {
  switch (outcome.kind) {
    case "none":
      return answerUnanswered(context, "no-results", text);
    case "too-many":
      return answerPreset(context, "refinement", text);
    case "one":
      return show(context, outcome.result.item, { userText: text, score: outcome.result.score });
    case "several":
      return choose(context, outcome.results, text);
  }
}

/** Contents with check questions are asked one by one; those without are offered together. */
function choose(
  context: TurnContext,
  results: readonly Result[],
  userText: string,
): Promise<BotTurn> {
  const items = results.map(({ item }) => item);
  return items.every(({ checkQuestion }) => checkQuestion !== null)
    ? askCheck(
        context,
        items.map(({ id }) => id),
        userText,
      )
    : offer(context, items, userText);
}

/** Offers as many contents as the client shows at once; the rest wait until all are declined. */
export function offer(
  context: TurnContext,
  items: readonly ContentItem[],
  userText: string,
): Promise<BotTurn> {
  const { maxOptions } = context.session.settings;
  const options = items.slice(0, maxOptions).map(({ id, title, attributes }) => ({
    label: title,
    value: id,
    attributes: { ...attributes, title },
  }));
  const choices = options.map(({ label, value }) => ({ label, value, content: value }));
  const waiting = items.slice(maxOptions).map(({ id }) => id);
  return Promise.resolve({
    answers: [createMultipleOptions(context.texts["multiple-options"], options)],
    session: { ...context.session, open: { kind: "choice", choices, waiting, misses: 0 } },
    userText,
  });
}

/** A candidate content, and its likelihood from 0 to 1. */
interface Result {
  readonly item: ContentItem;
  readonly score: number;
}

/** The outcome of a search for the reader. */
export type QuestionOutcome =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly result: Result }
  /** Best first. A single result is offered instead of shown if its score is too low. */
  | { readonly kind: "several"; readonly results: readonly Result[] }
  | { readonly kind: "too-many" };

/**
 * Decides what a search's hits mean for the reader. A clear best hit is the answer. The reader
 * chooses between several close hits. The reader is asked for more words if there are too many: more
 * than twice the number of options, or more than that number for a question of a single word.
 */
function outcomeOf(context: TurnContext, found: SearchResult, question: string): QuestionOutcome {
  const matching = matchingOf(context.project);
  const results = closestOf(found, findOfferScore(matching, found)).flatMap(
    ({ id, score }): readonly Result[] => {
      const item = contentOf(context, id);
      return item === null ? [] : [{ item, score }];
    },
  );
  const { maxOptions } = context.session.settings;
  const tooMany =
    results.length > 2 * maxOptions ||
    (results.length > maxOptions && isOneWord(question, context));
  if (tooMany) return { kind: "too-many" };
  const [first] = results;
  if (first === undefined) return { kind: "none" };
  const answers = results.length === 1 && first.score >= matching.threshold;
  return answers ? { kind: "one", result: first } : { kind: "several", results };
}

/**
 * Returns the plausible hits, best first: none, the best alone, or several equally close.
 *
 * @param least score of the best
 */
export function closestOf(
  { hits, rivals, threshold }: SearchResult,
  least: number = threshold,
): readonly Hit[] {
  const [best] = hits;
  if (best === undefined || best.score < least) return [];
  // A phrase equal to the question beats every similar one. Several contents may have that phrase,
  // and are then ordered by their ids, whatever their scores.
  const exact = hits.filter((hit) => hit.exact).toSorted((one, other) => one.id - other.id);
  return exact.length > 0 ? exact : [best, ...rivals.filter(({ id }) => id !== best.id)];
}

function isOneWord(question: string, { index }: TurnContext): boolean {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(index.language, { granularity: "word" }).segment(
    question,
  )) {
    if (isWordLike === true) words += 1;
    if (words > 1) return false;
  }
  return true;
}

/** Check questions that wait for the reader. */
export type OpenChecks = Extract<OpenDialogue, { kind: "checks" }>;

/**
 * Asks the check question of the first of these contents, while the others wait. With
 * `skipLastCheckQuestion`, the last one is shown without a question. If none is left, the reader has
 * discarded all of them.
 */
export function askCheck(
  context: TurnContext,
  ids: readonly number[],
  userText: string,
): Promise<BotTurn> {
  const waiting = ids.flatMap((id) => {
    const item = contentOf(context, id);
    return item === null || item.checkQuestion === null ? [] : [item];
  });
  const [first] = waiting;
  if (first === undefined) return answerUnanswered(context, "all-options-discarded", userText);
  if (waiting.length === 1 && context.session.settings.skipLastCheckQuestion) {
    return show(context, first, { userText });
  }
  const open: OpenChecks = { kind: "checks", contents: waiting.map(({ id }) => id), misses: 0 };
  return Promise.resolve({
    answers: [createPolarAnswer(first.checkQuestion ?? first.title)],
    session: { ...context.session, open },
    userText,
  });
}
