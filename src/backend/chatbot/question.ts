import { multipleChoiceQuestion } from "./answer.ts";
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

/** Searches the contents for what the reader wrote. A yes or a no to nothing asks for nothing, unless it is a title. */
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

/** Each has a check question: they are asked one after the other. One has none: all are offered at once. */
function choose(scene: Scene, results: readonly Result[], said: string): Promise<Turn> {
  if (results.every(({ item }) => item.checkQuestion !== null)) {
    return askCheck(
      scene,
      results.map(({ item }) => item.id),
      said,
    );
  }
  const options = results.map(({ item: { id, title, attributes } }) => ({
    label: title,
    value: id,
    attributes: { ...attributes, title },
  }));
  const choices = options.map(({ label, value }) => ({ label, value, content: value }));
  return Promise.resolve({
    answers: [multipleChoiceQuestion(scene.texts["multiple-options"], options)],
    session: { ...scene.session, open: { kind: "choice", choices, misses: 0 } },
    said,
  });
}
