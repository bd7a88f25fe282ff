import { scan } from "../json/scan.ts";
import { compileShape } from "../json/shape.ts";
import { textOf } from "../json/text.ts";
import type { Shape } from "../json/types.ts";
import { itemsOf, member } from "./facts.ts";

/**
 * Name and address that the engine's own escalation form has asked for: the values that come with
 * the callback at its end (chatbot.md, 7.2). Empty where there is no such form. Never throws.
 */
export function readEngineForm(bytes: Uint8Array): {
  readonly name: string;
  readonly email: string;
} {
  const root = scan(bytes, RESPONSE);
  const answers = root?.kind === "object" ? itemsOf(root.fields.get("answers")) : [];
  for (const answer of answers) {
    for (const action of itemsOf(member(answer, "actions"))) {
      const data = member(member(action, "parameters"), "data");
      if (data?.kind !== "object") continue;
      const value = (name: string): string => {
        const node = data.fields.get(name);
        return node?.kind === "string" ? textOf(bytes, node).trim().slice(0, longest) : "";
      };
      const name = [value("FIRST_NAME"), value("LAST_NAME")].filter((part) => part !== "");
      return { name: name.join(" "), email: value("EMAIL_ADDRESS") };
    }
  }
  return { name: "", email: "" };
}

const longest = 120;

const DATA: Shape = { fields: { FIRST_NAME: {}, LAST_NAME: {}, EMAIL_ADDRESS: {} } };
const RESPONSE = compileShape({
  fields: {
    answers: {
      items: {
        fields: { actions: { items: { fields: { parameters: { fields: { data: DATA } } } } } },
      },
    },
  },
});
