import type { OpenDialogue } from "../storage/types.ts";
import { astray } from "./astray.ts";
import { chosenOf } from "./chosen.ts";
import { contentOf } from "./scene.ts";
import type { Scene, Turn } from "./scene.ts";
import { show } from "./show.ts";
import type { Said } from "./turn-request.ts";

/** Answers what the reader says after several options were offered. */
export function answerChoice(
  scene: Scene,
  open: Extract<OpenDialogue, { kind: "choice" }>,
  request: Said,
): Promise<Turn> {
  // What was taken out of the contents since then can't be chosen any more.
  const choices = open.choices.filter(({ content }) => contentOf(scene, content) !== null);
  const choice = chosenOf(scene, choices, request);
  const item = choice === null ? null : contentOf(scene, choice.content);
  if (choice !== null && item !== null) return show(scene, item, { said: choice.label });
  return astray(
    scene,
    { ...open, choices },
    choices.map(({ content }) => content),
    request.text,
  );
}
