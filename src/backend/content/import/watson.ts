import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import type { Doubt } from "./imported/answer.ts";
import { composeText, type Position, leaveAll } from "./imported/compose.ts";
import {
  type Imported,
  type ImportedContent,
  type ImportFile,
  quoteShort,
  shorten,
  UNNAMED,
} from "./imported/imported.ts";
import type { Omission, OmissionReason } from "./imported/omissions.ts";
import { readJsonFile } from "./read-json.ts";
import { readWatsonActions } from "./watson-actions.ts";
import { EXPRESSION, readOutput, type WatsonWorkspace } from "./watson-output.ts";

/** True for the value of a workspace, a dialog skill or an actions skill. */
export function isWatson(value: unknown): boolean {
  const workspace = memberOf(value, "workspace") ?? value;
  const has = (key: string): boolean => Array.isArray(memberOf(workspace, key));
  return (
    has("dialog_nodes") ||
    (has("actions") && has("intents")) ||
    (has("intents") && has("counterexamples"))
  );
}

/**
 * Reads workspaces of Watson Assistant. Top-level dialog nodes whose condition is an intent become
 * contents, with the intent's examples as phrases. In an actions skill, actions become contents.
 */
export function readWatson(files: readonly ImportFile[], reporter: Reporter): Imported {
  const contents: ImportedContent[] = [];
  const synonyms = new Map<string, readonly (readonly string[])[]>();
  const left: Omission[] = [];
  for (const file of files) {
    const value = /\.json$/iu.test(file.name) ? readJsonFile(file, reporter) : null;
    if (value === undefined) continue;
    if (!isWatson(value)) {
      left.push({ file: file.name, line: null, part: null, code: "file" });
      continue;
    }
    const inner = memberOf(value, "workspace") ?? value;
    const language =
      readTextMember(inner, "language") ?? readTextMember(value, "language") ?? UNNAMED;
    const workspace: WatsonWorkspace = {
      value: inner,
      file: file.name,
      language,
      phrases: phrasesIn(inner),
      used: new Set(),
      left,
    };
    contents.push(...nodesIn(workspace), ...readWatsonActions(workspace));
    synonyms.set(language, [...(synonyms.get(language) ?? []), ...synonymsIn(inner)]);
    leaveRest(workspace);
  }
  return { contents, synonyms, left };
}

function phrasesIn(workspace: unknown): WatsonWorkspace["phrases"] {
  return new Map(
    readListMember(workspace, "intents").map((intent) => [
      readTextMember(intent, "intent") ?? "",
      readListMember(intent, "examples").flatMap((one) => readTextMember(one, "text") ?? []),
    ]),
  );
}

/** A node's own name. */
function nameOf(node: unknown): string {
  return readTextMember(node, "title") ?? readTextMember(node, "dialog_node") ?? "";
}

function nodesIn(workspace: WatsonWorkspace): readonly ImportedContent[] {
  const { value, file, language, phrases, used, left } = workspace;
  const nodes = readListMember(value, "dialog_nodes");
  const children = new Map<string, unknown[]>();
  for (const node of nodes) {
    const parent = readTextMember(node, "parent") ?? "";
    const siblings = children.get(parent) ?? [];
    siblings.push(node);
    children.set(parent, siblings);
  }
  const childrenOf = (node: unknown): readonly unknown[] =>
    children.get(readTextMember(node, "dialog_node") ?? " ") ?? [];
  const openAt = (node: unknown): readonly unknown[] =>
    isOpenFolder(node) ? childrenOf(node).flatMap(openAt) : [node];
  const top = (children.get("") ?? []).flatMap(openAt);
  return top.flatMap((node): ImportedContent[] => {
    const position: Position = { file, line: null, part: `node ${quoteShort(nameOf(node))}` };
    const below = childrenOf(node);
    leaveChildren(node, childrenOf, workspace);
    const intents = intentsIn(readTextMember(node, "conditions") ?? "");
    if (intents === null) {
      leaveNode(node, position, left);
      return [];
    }
    for (const intent of intents) used.add(intent);
    const jump = readTextMember(memberOf(node, "next_step"), "dialog_node");
    if (jump !== null) left.push({ ...position, code: "goes-on", text: jump });
    const text = composeText(
      {
        phrases: intents.flatMap((intent) => phrases.get(intent) ?? []),
        ...readOutput(outputOf(node, below), position, left),
        published: memberOf(node, "disabled") !== true,
        doubt: doubtOf(node, below),
        placeholder: EXPRESSION,
      },
      position,
      left,
    );
    if (text === null) return [];
    return [{ key: intents[0] ?? "", file, line: null, texts: new Map([[language, text]]) }];
  });
}

/** True for a folder without a condition, whose nodes count as nodes at the top. */
function isOpenFolder(node: unknown): boolean {
  return (
    readTextMember(node, "type") === "folder" &&
    USUAL.test(readTextMember(node, "conditions") ?? "")
  );
}

/** The intents of a condition that consists of intents only, or null. */
function intentsIn(condition: string): readonly string[] | null {
  // A name may contain the word too, such as `#buy-or-rent`.
  const parts = condition
    .split(/\|\||(?<![\w.-])or(?![\w.-])/iu)
    .map((part) => part.replace(/[()\s]/gu, ""));
  const intents = parts.map((part) => {
    const [, hash, quoted] =
      /^(?:#([^\s#@$&!=<>"']{1,128})|intents?\[0\]\.intent==["']([^"']{1,128})["'])$/u.exec(part) ??
      [];
    return hash ?? quoted ?? null;
  });
  return intents.every((intent) => intent !== null) ? intents : null;
}

/** Returns a node's output, or its answer for all other cases if it has conditional answers. */
function outputOf(node: unknown, below: readonly unknown[]): unknown {
  const output = memberOf(node, "output");
  const answers = below.filter((one) => readTextMember(one, "type") === "response_condition");
  const usual = answers.find((one) => {
    return USUAL.test(readTextMember(one, "conditions") ?? "");
  });
  return usual === undefined ? output : memberOf(usual, "output");
}

/** A condition that is true in all other cases. */
const USUAL = /^(?:true|anything_else)?$/u;

function doubtOf(node: unknown, below: readonly unknown[]): Doubt | null {
  if (
    readTextMember(node, "type") === "frame" ||
    below.some((one) => readTextMember(one, "type") === "slot")
  ) {
    return { code: "unpublished-form" };
  }
  return readListMember(node, "actions").length === 0 ? null : { code: "unpublished-program" };
}

/** Lists the nodes below a node, which are only said after it. */
function leaveChildren(
  top: unknown,
  childrenOf: (node: unknown) => readonly unknown[],
  workspace: WatsonWorkspace,
): void {
  // A loop in place of recursion, because a dialog may have any depth.
  const waiting = [top];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    const below = childrenOf(parent);
    for (const child of below.toReversed()) waiting.push(child);
    for (const child of below) leaveChild(child, nameOf(parent), workspace);
  }
}

function leaveChild(child: unknown, parent: string, { file, left }: WatsonWorkspace): void {
  const type = readTextMember(child, "type") ?? "standard";
  const condition = readTextMember(child, "conditions") ?? "";
  if (type === "response_condition" && USUAL.test(condition)) return;
  const reason = REASONS_BELOW.get(type);
  const kind = reason === undefined ? "node" : type;
  const name = `${kind} ${quoteShort(parent)} › ${quoteShort(nameOf(child))}`;
  const position: Position = { file, line: null, part: withCondition(name, condition) };
  const { answers } = readOutput(memberOf(child, "output"), position, []);
  left.push({ ...position, ...(reason ?? { code: "below" }), text: shorten(answers.join(" ")) });
}

function withCondition(name: string, condition: string): string {
  return condition === "" ? name : `${name} (${condition})`;
}

const REASONS_BELOW: ReadonlyMap<string, OmissionReason> = new Map([
  ["response_condition", { code: "condition" }],
  ["slot", { code: "form" }],
  ["event_handler", { code: "form" }],
] as const);

/** Lists a node at the top whose condition is no intent. */
function leaveNode(node: unknown, position: Position, left: Omission[]): void {
  const condition = readTextMember(node, "conditions") ?? "";
  const { answers } = readOutput(memberOf(node, "output"), position, left);
  const part = withCondition(position.part ?? "", condition);
  const line = LINES.get(condition.trim());
  const reason: OmissionReason =
    line === undefined ? { code: "other-condition" } : { code: "line", params: { line } };
  left.push({ ...position, part, ...reason, text: shorten(answers.join(" ")) });
}

const LINES: ReadonlyMap<string, string> = new Map([
  ["welcome", "welcome"],
  ["conversation_start", "welcome"],
  ["anything_else", "no-results"],
  ["true", "no-results"],
]);

function synonymsIn(workspace: unknown): readonly (readonly string[])[] {
  return readListMember(workspace, "entities").flatMap((entity) =>
    readListMember(entity, "values").flatMap((value) => {
      const words = [
        readTextMember(value, "value") ?? "",
        ...readListMember(value, "synonyms").map(String),
      ];
      const group = [...new Set(words.filter((word) => word.trim() !== ""))];
      return readTextMember(value, "type") !== "patterns" && group.length > 1 ? [group] : [];
    }),
  );
}

/** Lists the intents without an answer, the entities and the counterexamples. */
function leaveRest({ value, file, phrases, used, left }: WatsonWorkspace): void {
  for (const [intent, examples] of phrases) {
    if (used.has(intent)) continue;
    const text = shorten(examples[0] ?? "");
    left.push({ file, line: null, part: `intent "${intent}"`, code: "no-answer", text });
  }
  const entities = readListMember(value, "entities").map(
    (one) => readTextMember(one, "entity") ?? "",
  );
  left.push(...leaveAll(file, "entity", entities, { code: "entity" }));
  const counter = readListMember(value, "counterexamples").map(
    (one) => readTextMember(one, "text") ?? "",
  );
  left.push(...leaveAll(file, "counterexample", counter, { code: "counterexample" }));
}
