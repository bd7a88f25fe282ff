import { scan } from "../json/scan.ts";
import type { JsonNode, JsonObject } from "../json/types.ts";
import { flagsIn } from "./flags-in.ts";
import { recognizersOf } from "./recognition.ts";
import { decideRelatedTitle } from "./related-title.ts";
import { MESSAGE_RESPONSE } from "./shape.ts";
import type { Decision, InstanceRules, Say } from "./types.ts";
import { decideUnflagged } from "./unflagged.ts";
import type { Work } from "./work.ts";
import { decideText } from "./answer-text.ts";

/**
 * Decides what changes in a response of POST /conversation/message. Pure; `bytes` are only read.
 *
 * Every answer is judged by membership of a direct-answer flag in its own `flags`, never by its
 * words. An answer without such a flag keeps its text; its related title is replaced all the same.
 * The answers in its `subAnswers` are judged alike, but for their titles: one that is called as
 * default content is a search result of that name.
 *
 * @param bytes the decoded response body
 * @param say finds the words; called once per place that could be rewritten
 * @param detail adds `before` and `after` to each step
 * @returns edits in the order of the bytes, ready for splice; none when `gate` is set
 */
export function decide(
  bytes: Uint8Array,
  rules: InstanceRules,
  say: Say,
  detail: boolean,
): Decision {
  const root = scan(bytes, MESSAGE_RESPONSE);
  if (root === null) return { edits: [], gate: "invalid-json", steps: [] };
  const work: Work = { bytes, rules, say, detail, edits: [], steps: [] };
  if (!visitAnswers(root, work)) return { edits: [], gate: "unknown-shape", steps: [] };
  // Members come in any order; the splice wants its edits as the bytes have them. Mostly they are.
  if (!isSorted(work.edits)) work.edits.sort((one, other) => one.start - other.start);
  return { edits: work.edits, gate: null, steps: work.steps };
}

function isSorted(edits: Work["edits"]): boolean {
  let before = 0;
  for (const { start } of edits) {
    if (start < before) return false;
    before = start;
  }
  return true;
}

/** False when the document is no message response. */
function visitAnswers(root: JsonNode, work: Work): boolean {
  if (root.kind !== "object") return false;
  const answers = root.fields.get("answers");
  if (answers === undefined) {
    if (!ANSWER_FIELDS.some((name) => root.fields.has(name))) return false;
    decideAnswer(root, "", work);
    return true;
  }
  if (answers.kind !== "array") return false;
  let index = 0;
  for (const answer of answers.items) {
    if (answer.kind === "object") decideAnswer(answer, `/answers/${index}`, work);
    index++;
  }
  return true;
}

// By one of these a bare answer object is told from an error body and the like.
const ANSWER_FIELDS = ["flags", "message", "messageList", "parameters", "subAnswers"];

function decideAnswer(answer: JsonObject, at: string, work: Work): void {
  const { flags, unknown } = flagsIn(work.bytes, answer.fields.get("flags"));
  if (flags.length > 0) decideText(answer, at, flags, work);
  else decideUnflagged(answer, at, unknown, recognizersOf(work.rules), work);
  decideRelatedTitle(answer, at, work);
  const inside = answer.fields.get("subAnswers");
  if (inside?.kind !== "array") return;
  let index = 0;
  for (const one of inside.items) {
    if (one.kind === "object") decideSubAnswer(one, `${at}/subAnswers/${index}`, work);
    index++;
  }
}

function decideSubAnswer(answer: JsonObject, at: string, work: Work): void {
  const { flags } = flagsIn(work.bytes, answer.fields.get("flags"));
  if (flags.length > 0) decideText(answer, at, flags, work);
  decideRelatedTitle(answer, at, work);
}
