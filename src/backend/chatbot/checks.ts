import type { OpenDialogue } from "../storage/types.ts";
import { polarQuestion } from "./answer.ts";
import { unanswered } from "./presets.ts";
import { contentOf } from "./scene.ts";
import type { Scene, Turn } from "./scene.ts";
import { show } from "./show.ts";

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
