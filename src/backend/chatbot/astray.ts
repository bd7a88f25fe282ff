import type { OpenDialogue } from "../storage/types.ts";
import { directAnswer } from "./answer.ts";
import { answerQuestion, ask } from "./question.ts";
import type { Outcome } from "./results.ts";
import type { Scene, Turn } from "./scene.ts";

// After this many messages that led nowhere the options are no longer on the table.
const maxMisses = 2;

/** Options or check questions that wait for the reader. */
export type OpenOptions = Exclude<OpenDialogue, { kind: "form" }>;

/**
 * Answers a message that is none of the options the reader was offered (`ids`). The flag
 * `no-subset-match` says so; what the message finds in the whole of the contents follows it in the
 * same response. One that finds nothing leaves the options open for another turn. One that finds
 * some of the very options only narrows them down, and gets no flag.
 */
export async function astray(
  scene: Scene,
  open: OpenOptions,
  ids: readonly number[],
  text: string,
): Promise<Turn> {
  const asked = ask(scene, text);
  const answer = directAnswer("no-subset-match", scene.texts["no-subset-match"]);
  if (asked.outcome.kind === "none") {
    const { session } = asked.scene;
    const misses = open.misses + 1;
    return {
      answers: [answer],
      session: {
        ...session,
        unanswered: session.unanswered + 1,
        open: misses < maxMisses ? { ...open, misses } : null,
      },
      said: text,
    };
  }
  const turn = await answerQuestion(asked);
  return isAmong(asked.outcome, ids) ? turn : { ...turn, answers: [answer, ...turn.answers] };
}

function isAmong(outcome: Outcome, ids: readonly number[]): boolean {
  switch (outcome.kind) {
    case "one":
      return ids.includes(outcome.result.item.id);
    case "several":
      return outcome.results.every(({ item }) => ids.includes(item.id));
    default:
      return false;
  }
}
