import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Pair,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { toFlag } from "../../direct-answers/flags.ts";
import type { Branch, TextPart, TextEdit, TextAddress } from "../load/message-texts.ts";
import { createConditionBranch, formatTextId } from "../load/message-texts.ts";

/** The node of a text in a messages file, or null when the file has no such text. */
export function findText(document: Document, { key, branch, part }: TextAddress): Scalar | null {
  const node = findPartNode(
    findBranchNode(document, findLineNode(document, key), key, branch),
    part,
  );
  return isScalar(node) ? node : null;
}

/** Finds the node of a key, or of the key's old name; null if the file has neither. */
export function findLineNode(document: Document, key: string): unknown {
  return findLinePair(document, key)?.value ?? null;
}

/** Locates a key with its value; null if it is missing or shares its line. */
export function findLineSpan(
  document: Document,
  key: string,
): { start: number; end: number } | null {
  const pair = findLinePair(document, key);
  const root = document.contents;
  if (pair === null || !isMap(root) || root.flow === true) return null;
  const [name, value] = [pair.key, pair.value];
  const start = isScalar(name) ? name.range?.[0] : undefined;
  const end = isNode(value) ? value.range?.[1] : undefined;
  return start === undefined || end === undefined ? null : { start, end };
}

/** Replaces or adds a text. False when the file's structure does not allow it. */
export function setText(document: Document, edit: TextEdit): boolean {
  const { key, branch, part } = edit.address;
  const known = findText(document, edit.address);
  if (known !== null) {
    known.value = edit.text;
    known.type = Scalar.QUOTE_DOUBLE;
    return true;
  }
  const line = ensureLine(document, edit);
  if (line === null) return false;
  if (branch.kind === "line") return setIn(line, edit);
  const details = ensureMap(line);
  if (details === null) return false;
  if (branch.kind === "when") {
    const condition = ensureCondition(document, details, key, branch);
    return condition !== null && addPart(condition, part, edit.text);
  }
  const channels = ensureMap(pairOf(details, "channels"));
  return channels !== null && setIn(pairOf(channels, branch.name), edit);
}

/**
 * Removes a text, and the mappings that become empty, up to the line itself. Returns false if the
 * file has no such text, or if its structure does not allow the removal.
 */
export function removeText(document: Document, { key, branch, part }: TextAddress): boolean {
  const line = findLineNode(document, key);
  const holder = findBranchNode(document, line, key, branch);
  if (isMap(holder)) {
    if (!removePart(holder, part)) return false;
    if (["text", "variants", "plural"].some((name) => holder.has(name))) return true;
  } else if (!isScalar(holder) || part.kind !== "text") return false;
  if (branch.kind === "line") return true;
  return isMap(line) && removeBranch(line, branch, holder);
}

function removePart(holder: YAMLMap, part: TextPart): boolean {
  if (part.kind === "text") return holder.delete("text");
  const [name, at] =
    part.kind === "variant"
      ? (["variants", part.index] as const)
      : (["plural", part.category] as const);
  const parts = holder.get(name, true);
  if (!(isSeq(parts) || isMap(parts)) || !parts.delete(at)) return false;
  return parts.items.length > 0 || holder.delete(name);
}

function removeBranch(line: YAMLMap, branch: Branch, holder: unknown): boolean {
  const name = branch.kind === "channel" ? "channels" : "when";
  const branches = line.get(name, true);
  if (!(isSeq(branches) || isMap(branches))) return false;
  const at =
    branch.kind === "channel" ? branch.name : branches.items.findIndex((one) => one === holder);
  return branches.delete(at) && (branches.items.length > 0 || line.delete(name));
}

/** Sets a text. A new line or channel with nothing but this text gets the shorthand. */
function setIn(pair: Pair, { address: { branch, part }, text, formats }: TextEdit): boolean {
  const format = branch.kind === "line" ? formats.line : formats.branch;
  const fresh = pair.value === null;
  if (fresh && part.kind === "text" && format === null) {
    pair.value = createQuoted(text);
    return true;
  }
  const holder = ensureMap(pair);
  if (fresh && format !== null) holder?.set("format", format);
  return holder !== null && addPart(holder, part, text);
}

function findLinePair(document: Document, key: string): Pair | null {
  const root = document.contents;
  if (!isMap(root)) return null;
  const found = root.items.find((item) => {
    const written = isScalar(item.key) ? String(item.key.value) : "";
    return (toFlag(written) ?? written) === key;
  });
  return found ?? null;
}

function findBranchNode(document: Document, line: unknown, key: string, branch: Branch): unknown {
  if (branch.kind === "line") return line;
  if (!isMap(line)) return null;
  if (branch.kind === "channel") {
    const channels = line.get("channels", true);
    return isMap(channels) ? channels.get(branch.name, true) : null;
  }
  const when = line.get("when", true);
  return isSeq(when) ? findConditionNode(document, when, key, branch) : null;
}

function findConditionNode(
  document: Document,
  when: YAMLSeq,
  key: string,
  branch: Branch,
): unknown {
  const name = nameBranch(key, branch);
  const written = when.items.map((item) => recordOf(isMap(item) ? item.toJS(document) : null));
  const index = written.findIndex(
    (_, at) => nameBranch(key, createConditionBranch(written, at)) === name,
  );
  return when.items[index];
}

function nameBranch(key: string, branch: Branch): string {
  return formatTextId({ key, branch, part: { kind: "text" } });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function findPartNode(holder: unknown, part: TextPart): unknown {
  // In the shorthand, the value of a line or channel is its text.
  if (isScalar(holder)) return part.kind === "text" ? holder : null;
  if (!isMap(holder)) return null;
  if (part.kind === "text") return holder.get("text", true);
  if (part.kind === "variant") {
    const variants = holder.get("variants", true);
    return isSeq(variants) ? variants.items[part.index] : null;
  }
  const plural = holder.get("plural", true);
  return isMap(plural) ? plural.get(part.category, true) : null;
}

function ensureLine(document: Document, { address, formats }: TextEdit): Pair | null {
  const known = findLinePair(document, address.key);
  if (known !== null) return known;
  if (document.contents === null) document.contents = new YAMLMap();
  if (!isMap(document.contents)) return null;
  const made: Pair = new Pair(new Scalar(address.key), null);
  // `setIn` sets the format of a line without branches.
  if (formats.line !== null && address.branch.kind !== "line") {
    const details = new YAMLMap();
    details.set("format", formats.line);
    made.value = details;
  }
  document.contents.items.push(made);
  return made;
}

/** The mapping behind a pair; a text in shorthand becomes its `text`. */
function ensureMap(pair: Pair): YAMLMap | null {
  const { value } = pair;
  if (isMap(value)) return value;
  if (value !== null && !isScalar(value)) return null;
  const details = new YAMLMap();
  if (isScalar(value)) details.items.push(new Pair(new Scalar("text"), value));
  pair.value = details;
  return details;
}

function ensureCondition(
  document: Document,
  details: YAMLMap,
  key: string,
  branch: Branch & { readonly kind: "when" },
): YAMLMap | null {
  const pair = pairOf(details, "when");
  if (pair.value === null) pair.value = new YAMLSeq();
  if (!isSeq(pair.value)) return null;
  const known = findConditionNode(document, pair.value, key, branch);
  if (known !== undefined) return isMap(known) ? known : null;
  const condition = new YAMLMap();
  for (const [field, value] of branch.fields) condition.set(field, new Scalar(value));
  pair.value.items.push(condition);
  return condition;
}

function addPart(holder: YAMLMap, part: TextPart, text: string): boolean {
  if (part.kind === "text") {
    holder.items.push(new Pair(new Scalar("text"), createQuoted(text)));
    return true;
  }
  if (part.kind === "plural") {
    const plural = ensureMap(pairOf(holder, "plural"));
    plural?.items.push(new Pair(new Scalar(part.category), createQuoted(text)));
    return plural !== null;
  }
  const pair = pairOf(holder, "variants");
  if (pair.value === null) pair.value = new YAMLSeq();
  // A variant can only be appended, because a list has no gaps.
  if (!isSeq(pair.value) || pair.value.items.length !== part.index) return false;
  pair.value.items.push(createQuoted(text));
  return true;
}

/** The pair of a key in a mapping, added without a value when it is not there. */
function pairOf(map: YAMLMap, key: string): Pair {
  const known = map.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (known !== undefined) return known;
  const made: Pair = new Pair(new Scalar(key), null);
  map.items.push(made);
  return made;
}

function createQuoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}
