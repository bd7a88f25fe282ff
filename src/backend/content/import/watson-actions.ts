import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import { composeText, type Position } from "./compose.ts";
import { type ImportedContent, quoteShort } from "./imported.ts";
import { EXPRESSION, readOutput, type WatsonWorkspace } from "./watson-output.ts";

/** Reads the actions of an actions skill. An answer consists of the texts of an action's steps. */
export function readWatsonActions(workspace: WatsonWorkspace): readonly ImportedContent[] {
  const { value, file, language, phrases, used, left } = workspace;
  return readListMember(value, "actions").flatMap((action): ImportedContent[] => {
    const name = readTextMember(action, "title") ?? readTextMember(action, "action") ?? "";
    const position: Position = { file, line: null, what: `action ${quoteShort(name)}` };
    const intent = readTextMember(memberOf(action, "condition"), "intent");
    const steps = readListMember(action, "steps");
    if (intent === null) {
      left.push({ ...position, why: "no intent leads to it" });
      return [];
    }
    used.add(intent);
    const outputs = steps.map((step) => readOutput(memberOf(step, "output"), position, left));
    const text = composeText(
      {
        phrases: phrases.get(intent) ?? [],
        answers: outputs.flatMap(({ answers }) => answers),
        images: outputs.flatMap(({ images }) => images),
        options: outputs.flatMap(({ options }) => options),
        doubt: steps.some(needsForm) ? "it asks for values or has conditions" : null,
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
function needsForm(step: unknown): boolean {
  return ["question", "condition"].some((key) => memberOf(step, key) !== null);
}
