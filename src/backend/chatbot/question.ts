import type { ContentItem } from "../content/types.ts";
import { multipleOptions } from "./answer.ts";
import { askCheck } from "./checks.ts";
import { polarOf } from "../../locales/polar-words.ts";
import { preset, unanswered } from "./presets.ts";
import { outcomeOf } from "./results.ts";
import type { Outcome, Result } from "./results.ts";
import type { Scene, Turn } from "./scene.ts";
import { show } from "./show.ts";
import { withMatch } from "./system-variables.ts";

/** What a question found, and the scene with its measures in the system variables. */
export interface Asked {
  readonly scene: Scene;
  readonly outcome: Outcome;
  readonly text: string;
}

/**
 * Searches the contents for what the reader wrote. A yes or a no to nothing asks for nothing,
 * unless it is a title.
 */
export function ask(scene: Scene, text: string): Asked {
  const found = scene.shelf.search(text, scene.audience);
  const asks = polarOf(text, scene.session.language) === null || found.hits[0]?.exact === true;
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

/**
 * Each has a check question: they are asked one after the other. One has none: they are offered
 * together.
 */
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

/**
 * Offers as many of these contents as the client shows at once. The others wait until the reader
 * wants none of those.
 */
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
