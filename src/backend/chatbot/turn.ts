import { isBlank } from "../../locales/plain-text.ts";
import { countOf } from "../field-values.ts";
import type { ContentItem } from "../content/types.ts";
import { answerCheck } from "./check-answer.ts";
import { answerChoice } from "./choice.ts";
import { choiceByLabel, choiceByOption, isOffered } from "./chosen.ts";
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
 * Answers one request. The session comes with the scene and goes back changed, and nothing else is
 * kept; only a form that is submitted reaches out of the process, through the scene.
 */
export async function takeTurn(scene: Scene, asked: TurnRequest): Promise<Turn> {
  if (asked.kind === "direct-call") return jump(scene, asked.name);
  const request = withinLimit(scene, asked);
  if (request === null) {
    return keepingOpen(scene, await preset(scene, "character-limit-exceeded", asked.text));
  }
  const { open } = scene;
  const inForm = open?.kind === "form" ? await answerInForm(scene, open.form, request) : null;
  if (inForm !== null) return inForm;
  if (isBlank(request.text)) return nothingSaid(scene);

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
    : keepingOpen(scene, await preset(scene, "no-question", "", welcomed));
}

/**
 * Null when it is too long. Beside an option that was offered a message says nothing, however long
 * it is.
 */
function withinLimit(scene: Scene, said: Said): Said | null {
  if (!isTooLong(said.text)) return said;
  const { option } = said;
  return option !== null && isOffered(scene, option) ? { ...said, text: option } : null;
}

/**
 * The related content that an option names, or a message by its title: clients send either. What
 * stands among the options of a question is meant by them.
 */
function relatedOf(scene: Scene, { option, text }: Said): ContentItem | null {
  const { open, offered } = scene;
  const choices = open?.kind === "choice" ? open.choices : [];
  if (option !== null && choiceByOption(scene, choices, option) !== null) return null;
  const id = option === null ? null : countOf(option);
  if (id !== null && offered.includes(id)) return contentOf(scene, id);
  if (offered.length === 0 || choiceByLabel(scene, choices, text) !== null) return null;
  const wanted = plainWords(text);
  const related = offered.flatMap((one) => contentOf(scene, one) ?? []);
  return related.find(({ title }) => plainWords(title) === wanted) ?? null;
}
