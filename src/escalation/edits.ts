import { textOf } from "../json/text.ts";
import type { Edit, JsonArray, JsonNode } from "../json/types.ts";
import { callbackOf, type TurnFacts } from "./triggers/facts.ts";

// Edits of a response, for the bytes of the facts: rewrite texts first. Splice {@link sortEdits}.

/**
 * Adds `escalate` to the flags of one answer, once: missing and null flags become an array. Flags of
 * another kind must not be touched.
 */
export function signalEscalation(
  bytes: Uint8Array,
  facts: TurnFacts,
  answer: number,
): readonly Edit[] {
  const node = facts.answers[answer]?.node ?? null;
  if (node === null) return [];
  const flags = node.fields.get("flags");
  if (flags === undefined) {
    const at = node.start + 1;
    const comma = isOnlySpace(bytes, at, node.end - 1) ? "" : ",";
    return [edit(at, at, `"flags":["escalate"]${comma}`)];
  }
  if (flags.kind === "null") return [edit(flags.start, flags.end, '["escalate"]')];
  if (flags.kind !== "array") return [];
  if (flags.items.some((item) => isEscalate(bytes, item))) return [];
  return [appendItems(flags, ['"escalate"'])];
}

/** Removes the engine's own signals: `escalate` in `flags`, `actions` with these callbacks. */
export function silenceEscalation(
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

/** Puts composed answers behind the engine's. A bare answer becomes the first of `answers`. */
export function appendAnswers(
  { root, list }: TurnFacts,
  answers: readonly string[],
): readonly Edit[] {
  if (answers.length === 0) return [];
  if (list !== null) return [appendItems(list, answers)];
  return [
    edit(root.start, root.start, '{"answers":['),
    edit(root.end, root.end, `,${answers.join(",")}]}`),
  ];
}

/** Sorts edits by their position in the bytes, as splice expects. */
export function sortEdits(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((one, other) => one.start - other.start);
}

const ENCODER = new TextEncoder();

function edit(start: number, end: number, text: string): Edit {
  return { start, end, bytes: ENCODER.encode(text) };
}

/** Adds elements at the end of an array. */
function appendItems(list: JsonArray, added: readonly string[]): Edit {
  const last = list.items.at(-1);
  if (last === undefined) return edit(list.start + 1, list.start + 1, added.join(","));
  return edit(last.end, last.end, `,${added.join(",")}`);
}

/**
 * Removes elements with one comma each. The bytes between the remaining elements are not touched.
 */
function without({ items }: JsonArray, isGone: (item: JsonNode) => boolean): readonly Edit[] {
  const edits: Edit[] = [];
  let isFirst = true;
  for (const [index, item] of items.entries()) {
    if (!isGone(item)) {
      isFirst = false;
      continue;
    }
    // For the first elements, the comma after them goes too; for the others, the comma before them.
    const start = isFirst ? item.start : (items[index - 1]?.end ?? item.start);
    const end = isFirst ? (items[index + 1]?.start ?? item.end) : item.end;
    edits.push(edit(start, end, ""));
  }
  return edits;
}

function isEscalate(bytes: Uint8Array, node: JsonNode): boolean {
  return node.kind === "string" && textOf(bytes, node) === "escalate";
}

function isOnlySpace(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) > 0x20) return false;
  return true;
}
