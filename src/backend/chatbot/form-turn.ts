import { answerForm } from "../forms/machine.ts";
import type { FormState } from "../forms/types.ts";
import { polarChoice } from "./chosen.ts";
import { formContext, goOn, toAnswer } from "./form-lines.ts";
import { preset } from "./presets.ts";
import { contentOf, withSession } from "./scene.ts";
import type { Scene, Turn } from "./scene.ts";
import type { Said } from "./turn-request.ts";

/**
 * Answers what the reader says while a form is under way. Null: the form is no longer there, and
 * there is nothing to answer.
 */
export async function answerInForm(
  scene: Scene,
  state: FormState,
  request: Said,
): Promise<Turn | null> {
  const form = contentOf(scene, state.content)?.form ?? null;
  if (form === null) return null;
  const { option, text } = request;
  const polar = option === null || state.step === "asking" ? null : polarChoice(scene, option);
  const step = answerForm(formContext(scene, state.content, form), state, { text, polar });
  const went = await goOn(scene, state.content, form, step);

  let turn: Turn = { answers: [], session: went.session, said: text };
  for (const line of went.says) {
    // The only text of a form that a bot's owner customizes with a content.
    const said =
      line.flag === "follow-up-question"
        ? await preset(withSession(scene, turn.session), line.flag, text, line.caused)
        : { answers: [toAnswer(scene, line)], session: turn.session };
    turn = { ...turn, answers: [...turn.answers, ...said.answers], session: said.session };
  }
  return turn;
}
