import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import type { Doubt } from "./imported/answer.ts";
import { composeText, type Position } from "./imported/compose.ts";
import { type ImportedContent, quoteShort, shorten } from "./imported/imported.ts";
import { EXPRESSION, readOutput, type WatsonWorkspace } from "./watson-output.ts";

/** Reads the actions of an actions skill. An answer consists of the texts of an action's steps. */
export function readWatsonActions(workspace: WatsonWorkspace): readonly ImportedContent[] {
  const { value, file, language, phrases, used, left } = workspace;
  return readListMember(value, "actions").flatMap((action): ImportedContent[] => {
    const name = readTextMember(action, "title") ?? readTextMember(action, "action") ?? "";
    const position: Position = { file, line: null, part: `action ${quoteShort(name)}` };
    const intent = readTextMember(memberOf(action, "condition"), "intent");
    const steps = readListMember(action, "steps");
    const outputs = steps.map((step) => readOutput(memberOf(step, "output"), position, left));
    if (intent === null) {
      const text = shorten(outputs.flatMap(({ answers }) => answers).join(" "));
      left.push({ ...position, code: "no-question", text });
      return [];
    }
    used.add(intent);
    const text = composeText(
      {
        phrases: phrases.get(intent) ?? [],
        answers: outputs.flatMap(({ answers }) => answers),
        images: outputs.flatMap(({ images }) => images),
        options: outputs.flatMap(({ options }) => options),
        doubt: doubtOf(steps),
        placeholder: EXPRESSION,
      },
      position,
      left,
    );
    if (text === null) return [];
    return [{ key: intent, file, line: null, texts: new Map([[language, text]]) }];
  });
}

/** A step that only speaks has neither a question nor a condition. */
function doubtOf(steps: readonly unknown[]): Doubt | null {
  const has = (key: string): boolean => steps.some((step) => memberOf(step, key) !== null);
  if (has("question")) return { code: "unpublished-form" };
  return has("condition") ? { code: "unpublished-condition" } : null;
}
