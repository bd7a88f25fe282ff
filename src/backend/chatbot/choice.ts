import type { OpenDialogue } from "../storage/types.ts";
import { astray } from "./astray.ts";
import { chosenOf } from "./chosen.ts";
import { polarOf } from "../../locales/polar-words.ts";
import { offer } from "./question.ts";
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
  const { text } = request;
  const waiting = open.waiting.flatMap((id) => contentOf(scene, id) ?? []);
  const [next, ...others] = waiting;
  if (next !== undefined && polarOf(text, scene.session.language) === "no") {
    return others.length === 0 ? show(scene, next, { said: text }) : offer(scene, waiting, text);
  }
  const ids = [...choices.map(({ content }) => content), ...waiting.map(({ id }) => id)];
  return astray(scene, { ...open, choices }, ids, text);
}
