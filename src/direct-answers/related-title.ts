import { isEmptyString } from "../json/text.ts";
import type { JsonNode, JsonObject } from "../json/types.ts";
import { isSayable } from "./sayable.ts";
import { leave, write, type Work } from "./work.ts";

/**
 * Replaces the heading of related contents (seed.md, Chatbot rule 3): it has no flag of its own and
 * occurs with and without one. Each level above it may be missing, null or of another kind. An
 * empty one stays where no content follows it.
 */
export function decideRelatedTitle(answer: JsonObject, answerAt: string, work: Work): void {
  const related = member(member(member(answer, "parameters"), "contents"), "related");
  const title = member(related, "relatedTitle");
  if (title === undefined || title.kind === "null") return;
  const at = `${answerAt}/parameters/contents/related/relatedTitle`;
  if (title.kind !== "string") return leave(at, "not-a-string", null, false, work, title);
  const contents = member(related, "relatedContents");
  const count =
    contents?.kind === "array" && contents.items.length > 0 ? contents.items.length : null;
  if (count === null && isEmptyString(title)) return;
  const line = work.say("related-title", count);
  if (!isSayable(line)) return leave(at, "no-text", null, false, work, title);
  const { start, end } = title;
  write({ at, start, end }, { flag: null, unexpected: false, line, twin: false }, work);
}

function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === "object" ? node.fields.get(name) : undefined;
}
