import { scan } from "../json/scan.ts";
import type { Edit, JsonNode, JsonObject, Shape } from "../json/types.ts";
import { recognizersOf } from "./recognition.ts";
import type { Decision, InstanceRules, Say } from "./types.ts";
import { decideUnflagged } from "./unflagged.ts";
import { type Work, leave, write, type TextSpan, isSayable } from "./work.ts";
import { isEmptyString, findMember, textOf } from "../json/text.ts";
import { toFlag, type Flag } from "./flags.ts";
import type { Count, RenderedLine } from "../locales/types.ts";
import { compileShape } from "../json/shape.ts";

// Fields of every answer, including sub-answers.
const DIRECT_ANSWER = {
  flags: { items: {} },
  message: {},
  messageList: { items: {} },
  options: {},
};
const RELATED: Shape = { fields: { relatedTitle: {}, relatedContents: {} } };
const LIST = compileShape({ items: {} });

const ANSWER = {
  ...DIRECT_ANSWER,
  attributes: { fields: { inbMainTitle: {}, title: {} } },
  parameters: { fields: { contents: { fields: { title: {}, related: RELATED } } } },
  subAnswers: {
    items: {
      fields: {
        ...DIRECT_ANSWER,
        parameters: { fields: { contents: { fields: { related: RELATED } } } },
      },
    },
  },
};

/** The shape of a POST /conversation/message response: `answers`, or one bare answer object. */
const MESSAGE_RESPONSE = compileShape({
  fields: { ...ANSWER, answers: { items: { fields: ANSWER } } },
});

/**
 * Decides what changes in a response of POST /conversation/message. Pure; `bytes` are only read.
 *
 * Every answer is judged by membership of a direct-answer flag in its own `flags`, never by its
 * words. An answer without such a flag keeps its text, unless it is default content that the rules
 * replace. Related titles are replaced in every answer. The answers in `subAnswers` are judged in the
 * same way, but never by their titles: there, the title of default content is a search result.
 *
 * @param bytes the decoded response body
 * @param say finds the words; called once per span that could be rewritten
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
  // Members may come in any order, but the splice needs edits in the order of the bytes.
  if (!isInOrder(work.edits)) work.edits.sort((one, other) => one.start - other.start);
  return { edits: work.edits, gate: null, steps: work.steps };
}

function isInOrder(edits: readonly Edit[]): boolean {
  let from = 0;
  for (const { start } of edits) {
    if (start < from) return false;
    from = start;
  }
  return true;
}

/** Decides every answer. False when the document is no message response. */
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

// A bare object with one of these fields is an answer, and not an error body.
const ANSWER_FIELDS = ["flags", "message", "messageList", "parameters", "subAnswers"];

function decideAnswer(answer: JsonObject, at: string, work: Work): void {
  const { flags, unknown } = flagsIn(work.bytes, answer.fields.get("flags"));
  if (flags.length > 0) decideText(answer, at, flags, isUnexpected, work);
  else {
    const flag = decideUnflagged(answer, at, unknown, recognizersOf(work.rules), work);
    if (flag !== null) decideText(answer, at, [flag], isNeverUnexpected, work);
  }
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
  if (flags.length > 0) decideText(answer, at, flags, isUnexpected, work);
  decideRelatedTitle(answer, at, work);
}

/** True for a flag that default content should have hidden. */
function isUnexpected(flag: Flag, { activeDefaultContent }: InstanceRules): boolean {
  return activeDefaultContent.includes(flag);
}

/** False if the flag of recognized default content did not come at all. */
function isNeverUnexpected(): false {
  return false;
}

/** The flags of an answer's `flags`. */
interface FoundFlags {
  /** Direct-answer flags in the answer's own order. */
  readonly flags: readonly Flag[];
  /** True with other members: `escalate`, `no-rating`, something newer, or no string at all. */
  readonly unknown: boolean;
}

/** Reads the flags of one answer. Anything but an array of strings names none. */
function flagsIn(bytes: Uint8Array, node: JsonNode | undefined): FoundFlags {
  if (node === undefined || node.kind !== "array" || node.items.length === 0) return NONE;
  const flags: Flag[] = [];
  let unknown = false;
  for (const item of node.items) {
    const flag = item.kind === "string" ? toFlag(textOf(bytes, item)) : null;
    if (flag === null) unknown = true;
    else flags.push(flag);
  }
  return { flags, unknown };
}

const NONE: FoundFlags = Object.freeze({ flags: Object.freeze([]), unknown: false });

/**
 * Replaces the heading of related contents (seed.md, Chatbot rule 3), which occurs in answers with
 * and without flags. Each level above it may be missing, null or of another kind. An empty heading
 * without contents stays empty.
 */
function decideRelatedTitle(answer: JsonObject, answerAt: string, work: Work): void {
  const related = findMember(findMember(findMember(answer, "parameters"), "contents"), "related");
  const title = findMember(related, "relatedTitle");
  if (title === undefined || title.kind === "null") return;
  const at = `${answerAt}/parameters/contents/related/relatedTitle`;
  if (title.kind !== "string") return leave(at, "not-a-string", null, false, work, title);
  const count = countOf(findMember(related, "relatedContents"), work);
  if (isEmptyString(title) && count() === null) return;
  const line = work.say("related-title", count);
  if (!isSayable(line)) return leave(at, "no-text", null, false, work, title);
  const { start, end } = title;
  write({ at, start, end }, { flag: null, unexpected: false, line, twin: false }, work);
}

/**
 * Rewrites the text of a flagged answer: `message` and the elements of `messageList` together,
 * because clients are split over which of the two they show. The first of the answer's flags that
 * has a text is used. Missing, null and empty members stay so, and an answer whose texts are all
 * empty stays empty: it was blanked on purpose.
 */
function decideText(
  answer: JsonObject,
  at: string,
  flags: readonly Flag[],
  isUnexpectedFlag: (flag: Flag, rules: InstanceRules) => boolean,
  work: Work,
): void {
  const message = answer.fields.get("message");
  const list = elementsOf(answer.fields.get("messageList"));
  const spans: TextSpan[] = [];
  if (message?.kind === "string") {
    spans.push({ at: `${at}/message`, start: message.start, end: message.end });
  }
  if (list !== null) {
    spans.push({ at: `${at}/messageList`, start: list.start, end: list.end });
  }
  const first = spans[0];

  const chosen = choose(flags, countOf(answer.fields.get("options"), work), work);
  const flag = chosen?.flag ?? flags[0] ?? null;
  const unexpected = flag !== null && isUnexpectedFlag(flag, work.rules);
  if (first === undefined) return leave(`${at}/message`, "not-a-string", flag, unexpected, work);
  if (isSilent(message) && (list === null || list.isSilent))
    return leave(first.at, "empty-message", flag, unexpected, work);
  if (chosen === null) return leave(first.at, "no-text", flag, unexpected, work, message);

  let twin = false;
  for (const span of spans) {
    const verdict = { flag: chosen.flag, unexpected, line: chosen.line, twin };
    if (write(span, verdict, work)) twin = true;
  }
}

function choose(
  flags: readonly Flag[],
  count: Count,
  work: Work,
): { readonly flag: Flag; readonly line: RenderedLine } | null {
  for (const flag of flags) {
    const line = work.say(flag, count);
    if (isSayable(line)) return { flag, line };
  }
  return null;
}

/** Counts the elements of an array: null for an empty one, and for other values. */
function countOf(node: JsonNode | undefined, { bytes }: Work): Count {
  return () => {
    if (node?.kind !== "array") return null;
    const list = scan(bytes.subarray(node.start, node.end), LIST);
    return list?.kind === "array" && list.items.length > 0 ? list.items.length : null;
  };
}

interface Elements {
  readonly start: number;
  readonly end: number;
  /** Every string among them is empty. */
  readonly isSilent: boolean;
}

/** Spans the first to the last element, if at least one of them is a string. */
function elementsOf(node: JsonNode | undefined): Elements | null {
  if (node?.kind !== "array") return null;
  const { items } = node;
  const first = items[0];
  const last = items[items.length - 1];
  if (first === undefined || last === undefined || !items.some(isString)) return null;
  return { start: first.start, end: last.end, isSilent: items.every(isSilent) };
}

function isString({ kind }: JsonNode): boolean {
  return kind === "string";
}

/** True for an empty string, and for any value that is no string. */
function isSilent(node: JsonNode | undefined): boolean {
  return node?.kind !== "string" || isEmptyString(node);
}
