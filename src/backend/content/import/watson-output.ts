import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import { firstOf, type FoundAnswer, type Position } from "./imported/compose.ts";
import type { ImportedOption } from "./imported/imported.ts";
import type { Omission } from "./imported/omissions.ts";

/** A workspace that is being read, with what was found in it so far. */
export interface WatsonWorkspace {
  readonly value: unknown;
  readonly file: string;
  readonly language: string;
  /** Examples by intent. */
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  /** Intents that a content answers. */
  readonly used: Set<string>;
  readonly left: Omission[];
}

/** Matches `<? … ?>`, `$variable` and `@entity`, but no price and no e-mail address. */
export const EXPRESSION =
  /<\?[^?]{1,300}\?>|(?<![\w$])\$[A-Za-z_]\w{0,60}|(?<![\w@./])@[A-Za-z_][\w-]{0,60}/u;

/** Reads `output` in its three forms: a text, `text.values`, or `generic`. Lists what it leaves out. */
export function readOutput(output: unknown, position: Position, left: Omission[]): FoundAnswer {
  const answers: string[] = [];
  const images: string[] = [];
  const options: ImportedOption[] = [];
  const text = memberOf(output, "text");
  if (typeof text === "string") answers.push(text);
  else answers.push(...listWordings(Array.isArray(text) ? { values: text } : text, position, left));
  for (const part of readListMember(output, "generic")) {
    const type = readTextMember(part, "response_type") ?? "text";
    if (type === "text") answers.push(...listWordings(part, position, left));
    else if (type === "image")
      images.push(...[readTextMember(part, "source")].filter((one) => one !== null));
    else if (type === "option") {
      const title = readTextMember(part, "title");
      if (title !== null) answers.push(title);
      for (const option of readListMember(part, "options")) {
        const label = readTextMember(option, "label");
        const to = readTextMember(memberOf(memberOf(option, "value"), "input"), "text") ?? label;
        if (label !== null && to !== null) options.push({ label, to });
      }
    } else if (type !== "pause") {
      left.push({ ...position, code: "rich", text: type });
    }
  }
  return { answers, images, options };
}

/** Lists the lines of a text with several lines, or the first wording of any other. */
function listWordings(part: unknown, position: Position, left: Omission[]): readonly string[] {
  const values = readListMember(part, "values").map(readValue);
  if (readTextMember(part, "selection_policy") === "multiline") return values;
  const first = firstOf(values, position, left);
  return first === null ? [] : [first];
}

/** Reads a text, `{text}`, or the parts of an expression, with variables as `$name`. */
function readValue(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = readListMember(memberOf(value, "text_expression"), "concat").map((part) => {
    const variable = readTextMember(part, "variable");
    return readTextMember(part, "scalar") ?? (variable === null ? "" : `$${variable}`);
  });
  return readTextMember(value, "text") ?? parts.join("");
}
