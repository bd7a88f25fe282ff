import { astray } from "./astray.ts";
import { askCheck } from "./checks.ts";
import type { OpenChecks } from "./checks.ts";
import { chosenOf, polarChoice } from "./chosen.ts";
import { unanswered } from "./presets.ts";
import { contentOf } from "./scene.ts";
import type { Scene, Turn } from "./scene.ts";
import { show } from "./show.ts";
import type { Said } from "./turn-request.ts";

/**
 * Answers what the reader says to a check question: yes shows the content, no goes on to the next.
 */
export function answerCheck(scene: Scene, open: OpenChecks, request: Said): Promise<Turn> {
  const { option, text } = request;
  const [asked = -1, ...others] = open.contents;
  const rest = others.filter((id) => contentOf(scene, id) !== null);
  const polar = (option === null ? null : polarChoice(scene, option)) ?? polarChoice(scene, text);
  if (polar === "no") return askCheck(scene, rest, polar);
  const item = contentOf(scene, asked);
  if (polar === "yes") {
    if (item !== null) return show(scene, item, { said: polar });
    // It was taken out of the contents in the meantime. Without another there is nothing left of
    // what was found.
    return rest.length > 0 ? askCheck(scene, rest, polar) : unanswered(scene, "no-results", polar);
  }
  return answerOther(scene, open, text);
}

/** What is neither yes nor no may name one of the contents that wait. */
function answerOther(scene: Scene, open: OpenChecks, text: string): Promise<Turn> {
  const waiting = open.contents.flatMap((id) => contentOf(scene, id) ?? []);
  const titles = waiting.map(({ id, title }) => ({ value: id, label: title, content: id }));
  const named = chosenOf(scene, titles, { kind: "said", option: null, text });
  const item = waiting.find(({ id }) => id === named?.content);
  if (item !== undefined) return show(scene, item, { said: text });
  return astray(scene, open, open.contents, text);
}
