import type { ContentItem } from "../content/types.ts";
import { multipleOptions, polarQuestion } from "./answer.ts";
import { preset, unanswered } from "./presets.ts";
import { type Scene, type Turn, contentOf } from "./scene.ts";
import { show } from "./show.ts";
import { withMatch } from "./system-variables.ts";
import type { Hit, SearchResult } from "../../matching/types.ts";
import type { OpenDialogue } from "../storage/types.ts";

/** What a question found, and the scene with its measures in the system variables. */
export interface Asked {
  readonly scene: Scene;
  readonly outcome: Outcome;
  readonly text: string;
}

/** Searches for the reader's words. A yes or no to nothing asks nothing, unless it is a title. */
export function ask(scene: Scene, text: string): Asked {
  const found = scene.shelf.search(text, scene.audience);
  const asks =
    scene.recognition.polarOf(text, scene.session.language) === null ||
    found.hits[0]?.exact === true;
  return {
    scene: { ...scene, session: withMatch(scene.session, found) },
    outcome: asks ? outcomeOf(scene, found, text) : { kind: "none" },
    text,
  };
}

/** Answers a question by what it found. */
export function answerQuestion({ scene, outcome, text }: Asked): Promise<Turn> {
  switch (outcome.kind) {
    case "none":
      return unanswered(scene, "no-results", text);
    case "too-many":
      return preset(scene, "refinement", text);
    case "one":
      return show(scene, outcome.result.item, { said: text, score: outcome.result.score });
    case "several":
      return choose(scene, outcome.results, text);
  }
}

/** Contents with check questions are asked one by one; those without are offered together. */
function choose(scene: Scene, results: readonly Result[], said: string): Promise<Turn> {
  const items = results.map(({ item }) => item);
  return items.every(({ checkQuestion }) => checkQuestion !== null)
    ? askCheck(
        scene,
        items.map(({ id }) => id),
        said,
      )
    : offer(scene, items, said);
}

/** Offers as many contents as the client shows at once; the rest wait until all are declined. */
export function offer(scene: Scene, items: readonly ContentItem[], said: string): Promise<Turn> {
  const { maxOptions } = scene.session.settings;
  const options = items.slice(0, maxOptions).map(({ id, title, attributes }) => ({
    label: title,
    value: id,
    attributes: { ...attributes, title },
  }));
  const choices = options.map(({ label, value }) => ({ label, value, content: value }));
  const waiting = items.slice(maxOptions).map(({ id }) => id);
  return Promise.resolve({
    answers: [multipleOptions(scene.texts["multiple-options"], options)],
    session: { ...scene.session, open: { kind: "choice", choices, waiting, misses: 0 } },
    said,
  });
}

/** A content that may be what was asked for, and how likely that is: from 0 to 1. */
interface Result {
  readonly item: ContentItem;
  readonly score: number;
}

/** What a search comes to for the reader. */
export type Outcome =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly result: Result }
  /** Best first, at least two. */
  | { readonly kind: "several"; readonly results: readonly Result[] }
  | { readonly kind: "too-many" };

/**
 * Sorts out what was found. The best hit alone answers; of several that lie too close together the
 * reader chooses. Too many to choose from, a question is asked back: more than twice as many as are
 * offered at once, or more than are offered when the question is a single word, which says too
 * little to leave any out.
 */
function outcomeOf(scene: Scene, found: SearchResult, question: string): Outcome {
  const results = closestOf(found).flatMap(({ id, score }): readonly Result[] => {
    const item = contentOf(scene, id);
    return item === null ? [] : [{ item, score }];
  });
  const { maxOptions } = scene.session.settings;
  const tooMany =
    results.length > 2 * maxOptions || (results.length > maxOptions && isOneWord(question, scene));
  if (tooMany) return { kind: "too-many" };
  const [first] = results;
  if (first === undefined) return { kind: "none" };
  return results.length === 1 ? { kind: "one", result: first } : { kind: "several", results };
}

/** The hits that may be meant, best first: none, the best alone, or several equally close. */
export function closestOf({ hits, rivals, threshold }: SearchResult): readonly Hit[] {
  const [best] = hits;
  if (best === undefined || best.score < threshold) return [];
  // A phrase that is the question, word for word, beats every likeness; several contents may have
  // the same, and then the order is that of their ids, whatever else a matcher knows about them.
  const exact = hits.filter((hit) => hit.exact).toSorted((one, other) => one.id - other.id);
  return exact.length > 0 ? exact : [best, ...rivals.filter(({ id }) => id !== best.id)];
}

function isOneWord(question: string, { shelf }: Scene): boolean {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(shelf.language, { granularity: "word" }).segment(
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
 * Asks the check question of the first of these contents, the others wait. With
 * `skipLastCheckQuestion` the last one is shown without being asked about; without any left, the
 * reader has discarded all of them.
 */
export function askCheck(scene: Scene, ids: readonly number[], said: string): Promise<Turn> {
  const waiting = ids.flatMap((id) => {
    const item = contentOf(scene, id);
    return item === null || item.checkQuestion === null ? [] : [item];
  });
  const [first] = waiting;
  if (first === undefined) return unanswered(scene, "all-options-discarded", said);
  if (waiting.length === 1 && scene.session.settings.skipLastCheckQuestion) {
    return show(scene, first, { said });
  }
  const open: OpenChecks = { kind: "checks", contents: waiting.map(({ id }) => id), misses: 0 };
  return Promise.resolve({
    answers: [polarQuestion(first.checkQuestion ?? first.title)],
    session: { ...scene.session, open },
    said,
  });
}
