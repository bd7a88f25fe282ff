import { quote } from "../json/quote.ts";
import { textOf } from "../json/text.ts";
import type { Edit, JsonArray, JsonNode } from "../json/types.ts";
import { joined, separated } from "./compose.ts";
import { callbackOf, type TurnFacts } from "./facts.ts";

/**
 * Edits of a message response. They are for the bytes that the facts were read from: rewrite texts
 * first, then read again. All of one turn's edits may be spliced together, put {@link inOrder}.
 */
export interface Signalled {
  readonly edits: readonly Edit[];
  /** `not-an-array`: `flags` is something that nobody should touch. */
  readonly reason: "signalled" | "already" | "no-answer" | "not-an-array";
}

/**
 * Adds `escalate` to the flags of one answer, once: missing and null flags become an array, an
 * array gets one more.
 */
export function signalEscalation(bytes: Uint8Array, facts: TurnFacts, answer: number): Signalled {
  const node = facts.answers[answer]?.node ?? null;
  if (node === null) return { edits: [], reason: "no-answer" };
  const flags = node.fields.get("flags");
  if (flags === undefined) {
    const at = node.start + 1;
    const isEmpty = onlySpace(bytes, at, node.end - 1);
    return signalled(at, at, isEmpty ? MEMBER : joined([MEMBER, COMMA]));
  }
  if (flags.kind === "null") return signalled(flags.start, flags.end, LIST);
  if (flags.kind !== "array") return { edits: [], reason: "not-an-array" };
  if (flags.items.some((item) => isEscalate(bytes, item))) return { edits: [], reason: "already" };
  const { at, text } = behind(flags, [ESCALATE]);
  return signalled(at, at, text);
}

/**
 * Takes the engine's own signals away, so that a client with a hand-over of its own does not begin
 * one beside ours: every `escalate` in `flags`, and every element of `actions` with one of these
 * callbacks.
 */
export function quietEscalation(
  bytes: Uint8Array,
  facts: TurnFacts,
  callbacks: readonly string[],
): readonly Edit[] {
  return facts.answers.flatMap(({ node }) => {
    if (node === null) return [];
    const flags = node.fields.get("flags");
    const actions = node.fields.get("actions");
    return [
      ...(flags?.kind === "array" ? without(flags, (item) => isEscalate(bytes, item)) : []),
      ...(actions?.kind === "array"
        ? without(actions, (item) => callbacks.includes(callbackOf(bytes, item)))
        : []),
    ];
  });
}

/**
 * Puts composed answers behind the engine's. A bare answer becomes the first element of `answers`.
 */
export function appendAnswers(
  { root, list }: TurnFacts,
  answers: readonly Uint8Array[],
): readonly Edit[] {
  if (answers.length === 0) return [];
  if (list !== null) {
    const { at, text } = behind(list, answers);
    return [{ start: at, end: at, bytes: text }];
  }
  return [
    { start: root.start, end: root.start, bytes: OPENING },
    { start: root.end, end: root.end, bytes: joined([COMMA, ...separated(answers), CLOSING]) },
  ];
}

/** Edits in the order of the bytes, as splice wants them. */
export function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((one, other) => one.start - other.start);
}

const ENCODER = new TextEncoder();
const ESCALATE = quote("escalate");
const LIST = ENCODER.encode('["escalate"]');
const MEMBER = ENCODER.encode('"flags":["escalate"]');
const OPENING = ENCODER.encode('{"answers":[');
const CLOSING = ENCODER.encode("]}");
const COMMA = ENCODER.encode(",");

function signalled(start: number, end: number, bytes: Uint8Array): Signalled {
  return { edits: [{ start, end, bytes }], reason: "signalled" };
}

/** Where the next elements of an array go, and what stands there. */
function behind(
  list: JsonArray,
  added: readonly Uint8Array[],
): { readonly at: number; readonly text: Uint8Array } {
  const last = list.items.at(-1);
  return last === undefined
    ? { at: list.start + 1, text: joined(separated(added)) }
    : { at: last.end, text: joined([COMMA, ...separated(added)]) };
}

/** Removes elements with one comma each; what stands between those that stay is not touched. */
function without({ items }: JsonArray, isGone: (item: JsonNode) => boolean): readonly Edit[] {
  const edits: Edit[] = [];
  let isFirst = true;
  for (const [index, item] of items.entries()) {
    if (!isGone(item)) {
      isFirst = false;
      continue;
    }
    // At the front the comma behind goes with it, elsewhere the one before.
    const start = isFirst ? item.start : (items[index - 1]?.end ?? item.start);
    const end = isFirst ? (items[index + 1]?.start ?? item.end) : item.end;
    edits.push({ start, end, bytes: NOTHING });
  }
  return edits;
}

const NOTHING = new Uint8Array(0);

function isEscalate(bytes: Uint8Array, node: JsonNode): boolean {
  return node.kind === "string" && textOf(bytes, node) === "escalate";
}

function onlySpace(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) > 0x20) return false;
  return true;
}
