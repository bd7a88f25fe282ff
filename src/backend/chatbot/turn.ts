import { countOf } from "../field-values.ts";
import type { ContentItem } from "../content/types.ts";
import { answerCheck } from "./check-answer.ts";
import { answerChoice } from "./choice.ts";
import { jump, welcome } from "./direct-calls.ts";
import { answerInForm } from "./form-turn.ts";
import { isTooLong } from "./message-limit.ts";
import { plainWords } from "./plain-words.ts";
import { preset } from "./presets.ts";
import { answerQuestion, ask } from "./question.ts";
import { contentOf, keepingOpen } from "./scene.ts";
import type { Scene, Turn } from "./scene.ts";
import { show } from "./show.ts";
import type { Said, TurnRequest } from "./turn-request.ts";

/**
 * Answers one request. The session comes with the scene and goes back changed, and nothing else is kept; only a form that is
 * submitted reaches out of the process, through the scene.
 */
export async function takeTurn(scene: Scene, request: TurnRequest): Promise<Turn> {
  if (request.kind === "direct-call") return jump(scene, request.name);
  if (isTooLong(request.text)) {
    return keepingOpen(scene, await preset(scene, "character-limit-exceeded", request.text));
  }
  const { open } = scene;
  const inForm = open?.kind === "form" ? await answerInForm(scene, open.form, request) : null;
  if (inForm !== null) return inForm;
  if (request.text.trim() === "") return nothingSaid(scene);

  const related = relatedOf(scene, request);
  if (related !== null) return show(scene, related, { said: related.title });
  switch (open?.kind) {
    case "choice":
      return answerChoice(scene, open, request);
    case "checks":
      return answerCheck(scene, open, request);
    default:
      return answerQuestion(ask(scene, request.text));
  }
}

async function nothingSaid(scene: Scene): Promise<Turn> {
  const { turns, welcomed } = scene.session;
  return turns === 1 && !welcomed
    ? welcome(scene)
    : keepingOpen(scene, await preset(scene, "no-question", ""));
}

/**
 * The related content that an option names, or a message by its title: clients send either. What stands among the options of a
 * question is meant by them.
 */
function relatedOf(scene: Scene, { option, text }: Said): ContentItem | null {
  const { open, offered } = scene;
  const id = option === null ? null : countOf(option);
  const isChoice = open?.kind === "choice" && open.choices.some(({ value }) => value === id);
  if (id !== null && offered.includes(id) && !isChoice) return contentOf(scene, id);
  if (open !== null || offered.length === 0) return null;
  const related = offered.flatMap((one) => contentOf(scene, one) ?? []);
  return related.find(({ title }) => plainWords(title) === plainWords(text)) ?? null;
}
