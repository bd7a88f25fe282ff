import { isDeepStrictEqual } from "node:util";
import { treeAt, treeOf, type Tree } from "./json-tree.ts";

/** The texts of the gateway under test, and the titles by which it recognizes default content. */
export interface Words {
  readonly texts: Readonly<Record<string, string>>;
  readonly relatedTitle: string;
  /** Title in lower case → the flag that replaces it. */
  readonly titles: Readonly<Record<string, string>>;
}

/** One listed edit: the expected text at `path` in the client's body. */
interface Listed {
  readonly path: readonly (string | number)[];
  /**
   * `elements`: an array's elements change, its brackets and the space inside them don't. `added`:
   * one element is added, and all others stay.
   */
  readonly what: "value" | "elements" | "added";
  readonly expected: unknown;
}

/**
 * Compares an upstream's decoded body with what the client got, by JSON.parse and a tokenizer of
 * its own: identical, or identical outside the listed edits, each of which has the expected text.
 *
 * @returns the fault, or null; and the number of edits seen
 */
export function judge(
  upstream: Uint8Array,
  client: Uint8Array,
  words: Words,
): { readonly problem: string | null; readonly edits: number } {
  if (Buffer.compare(upstream, client) === 0) {
    const missed = listedEdits(parse(upstream), words).filter(({ path, expected }) => {
      return !isDeepStrictEqual(valueAt(parse(upstream), path), expected);
    });
    return { problem: missed.length === 0 ? null : `not edited: ${paths(missed)}`, edits: 0 };
  }
  const [before, after] = [parse(upstream), parse(client)];
  if (before === null) return { problem: "edited a body that is no JSON", edits: 0 };
  if (after === null) return { problem: "what the client got is no JSON", edits: 0 };
  const listed = listedEdits(before, words);
  if (listed.length === 0) return { problem: "edited where nothing may be edited", edits: 0 };
  return { problem: compare(before, after, listed), edits: listed.length };
}

interface Parsed {
  readonly text: string;
  readonly value: unknown;
}

function compare(before: Parsed, after: Parsed, listed: readonly Listed[]): string | null {
  const wrong = listed.filter(({ path, expected }) => {
    return !isDeepStrictEqual(valueAt(after, path), expected);
  });
  if (wrong.length > 0) return `wrong value at ${paths(wrong)}`;
  if (without(before.text, listed) !== without(after.text, listed)) {
    return "bytes differ outside the listed edits";
  }
  for (const { path, expected } of listed) put(before.value, path, expected);
  return sameValue(before.value, after.value) ? null : "another value differs";
}

/** The listed edits that the specification's rules require for a message response. */
function listedEdits(parsed: Parsed | null, words: Words): readonly Listed[] {
  const root = asObject(parsed?.value);
  if (root === null) return [];
  if (!Object.hasOwn(root, "answers")) return editsOfAnswer(root, [], words);
  const answers = root["answers"];
  if (!Array.isArray(answers)) return [];
  return answers.flatMap((answer: unknown, index) => {
    const object = asObject(answer);
    return object === null ? [] : editsOfAnswer(object, ["answers", index], words);
  });
}

/** An answer's own edits, and those of the answers inside it. */
function editsOfAnswer(
  answer: Readonly<Record<string, unknown>>,
  at: readonly (string | number)[],
  words: Words,
): readonly Listed[] {
  const { flags, subAnswers } = ownOf(answer);
  const edits = [...editsOfText(answer, at, words)];
  if (namedIn(flags).length === 0 && Array.isArray(flags)) {
    const flag = hiddenFlag(answer, words);
    if (flag !== undefined)
      edits.push({ path: [...at, "flags"], what: "added", expected: [...flags, flag] });
  }
  const inside: readonly unknown[] = Array.isArray(subAnswers) ? subAnswers : [];
  const inner = inside.flatMap((one, index) => {
    const object = asObject(one);
    return object === null ? [] : editsOfText(object, [...at, "subAnswers", index], words);
  });
  return [...edits, ...inner];
}

function namedIn(flags: unknown): readonly string[] {
  return Array.isArray(flags) ? flags.flatMap((flag) => DIRECT_ANSWERS.get(flag) ?? []) : [];
}

/** The edits that a flag and a related title require. */
function editsOfText(
  answer: Readonly<Record<string, unknown>>,
  at: readonly (string | number)[],
  words: Words,
): readonly Listed[] {
  const { message, messageList, flags } = ownOf(answer);
  const named = namedIn(flags);
  const edits: Listed[] = [];
  const text = named.map((flag) => words.texts[flag]).find((found) => found !== undefined);
  const strings = Array.isArray(messageList)
    ? messageList.filter((item) => typeof item === "string")
    : [];
  const texts = typeof message === "string" ? [message, ...strings] : strings;
  if (text !== undefined && texts.some((one) => one !== "")) {
    if (typeof message === "string")
      edits.push({ path: [...at, "message"], what: "value", expected: text });
    if (strings.length > 0)
      edits.push({ path: [...at, "messageList"], what: "elements", expected: [text] });
  }
  const title = walk(answer, RELATED_TITLE);
  const contents = walk(answer, ["parameters", "contents", "related", "relatedContents"]);
  const follows = Array.isArray(contents) && contents.length > 0;
  if (typeof title === "string" && (title !== "" || follows)) {
    edits.push({ path: [...at, ...RELATED_TITLE], what: "value", expected: words.relatedTitle });
  }
  return edits;
}

/** The flag that active default content hides, found by the answer's title. */
function hiddenFlag(answer: Readonly<Record<string, unknown>>, words: Words): string | undefined {
  const titles = [
    ["attributes", "inbMainTitle"],
    ["attributes", "title"],
    ["parameters", "contents", "title"],
  ].map((path) => walk(answer, path));
  return titles
    .flatMap((title) =>
      typeof title === "string" ? [words.titles[title.trim().toLowerCase()]] : [],
    )
    .find((flag) => flag !== undefined);
}

const RELATED_TITLE = ["parameters", "contents", "related", "relatedTitle"];

const DIRECT_ANSWERS: ReadonlyMap<unknown, string> = new Map(
  `all-options-discarded character-limit-exceeded conversation-error-message end-form follow-up-question form-continue
   form-retry generic-error-message multiple-options no-question no-results no-subset-match refinement webhook-bad-request
   webhook-wrong-field welcome`
    .split(/\s+/u)
    .map((flag): [string, string] => [flag, flag])
    .concat([["conversation-link", "follow-up-question"]]),
);

/** The text with the places of the edits cut out. */
function without(text: string, listed: readonly Listed[]): string {
  const tree = treeOf(text);
  const cuts = listed
    .map((edit) => cutAt(treeAt(tree, edit.path), edit))
    .toSorted(([one], [other]) => one - other);
  let from = 0;
  let rest = "";
  for (const [start, end] of cuts) {
    rest += `${text.slice(from, start)}\u0000`;
    from = end;
  }
  return rest + text.slice(from);
}

function cutAt(tree: Tree | null, { what, expected }: Listed): readonly [number, number] {
  if (tree === null) throw new Error("unreachable: the value was parsed");
  if (what === "value") return [tree.start, tree.end];
  const items = tree.items ?? [];
  if (what === "elements") return [items[0]?.start ?? tree.start, items.at(-1)?.end ?? tree.end];
  const old = Array.isArray(expected) ? expected.length - 1 : 0;
  // An empty array gets its first element directly after the bracket.
  const from = items[old - 1]?.end ?? tree.start + 1;
  return [from, items[old]?.end ?? from];
}

function parse(bytes: Uint8Array): Parsed | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, value: JSON.parse(text.replace(/^\ufeff/u, "")) };
  } catch {
    return null;
  }
}

function valueAt(parsed: Parsed | null, path: readonly (string | number)[]): unknown {
  return walk(parsed?.value, path);
}

function walk(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    const holds = typeof found === "object" && found !== null && Object.hasOwn(found, step);
    found = holds ? Reflect.get(found as object, step) : undefined;
  }
  return found;
}

function put(value: unknown, path: readonly (string | number)[], expected: unknown): void {
  const holder = walk(value, path.slice(0, -1));
  if (typeof holder === "object" && holder !== null)
    Reflect.set(holder, path.at(-1) ?? "", expected);
}

/** Values nested too deeply are only compared by their text, which has been done. */
function sameValue(one: unknown, other: unknown): boolean {
  try {
    return isDeepStrictEqual(one, other);
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function ownOf(answer: Readonly<Record<string, unknown>>) {
  const own = (name: string): unknown => (Object.hasOwn(answer, name) ? answer[name] : undefined);
  return {
    message: own("message"),
    messageList: own("messageList"),
    flags: own("flags"),
    subAnswers: own("subAnswers"),
  };
}

function paths(listed: readonly Listed[]): string {
  return listed.map(({ path }) => `/${path.join("/")}`).join(", ");
}
