import { findSoleText } from "../../direct-answers/unflagged.ts";
import { scan } from "../../json/scan.ts";
import { compileShape } from "../../json/shape.ts";
import { findMember, rawOf, readScalar, readString } from "../../json/text.ts";
import type { JsonArray, JsonNode, JsonObject, Shape } from "../../json/types.ts";

/** The facts that escalation reads in a response of POST /conversation/message. */
export interface TurnFacts {
  /** `bare`: one answer object without `answers` around it. */
  readonly kind: "answers" | "bare";
  readonly root: JsonObject;
  /** The array `answers`; null for a bare answer. */
  readonly list: JsonArray | null;
  /** In order. An answer that is no object has no node and is empty. */
  readonly answers: readonly AnswerFacts[];
}

export interface AnswerFacts {
  readonly node: JsonObject | null;
  readonly type: string;
  /** Members of `flags` that are strings. */
  readonly flags: readonly string[];
  /** `DIRECT_CALL` and `DYNAMIC_REDIRECT` of the answer, and of options of a polar question. */
  readonly directCalls: readonly string[];
  /** `actions[].parameters.callback` */
  readonly callbacks: readonly string[];
  /** Title of the matched intent, title of the answer, title of its contents. */
  readonly titles: readonly string[];
  /** The text of an answer that has a single one. */
  readonly text: string | null;
  /** `intent.score`, or null. */
  readonly score: number | null;
  /** Strings, numbers and booleans among the attributes, by name in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Reads the facts; null if the body is no response of that route, but an error for example. Never
 * throws.
 */
export function readTurn(bytes: Uint8Array): TurnFacts | null {
  const root = scan(bytes, TURN);
  if (root?.kind !== "object") return null;
  const list = root.fields.get("answers");
  if (list === undefined) {
    if (!ANSWER_FIELDS.some((name) => root.fields.has(name))) return null;
    return { kind: "bare", root, list: null, answers: [answerFacts(bytes, root)] };
  }
  if (list.kind !== "array") return null;
  const answers = list.items.map((item) => answerFacts(bytes, item));
  return { kind: "answers", root, list, answers };
}

/**
 * Returns each answer's text: `message`, else `messageList`, then option labels; empty if it has
 * none.
 */
export function answerTexts(bytes: Uint8Array, facts: TurnFacts): readonly string[] {
  return facts.answers.map(({ node }) => {
    if (node === null) return "";
    const message = stringIn(bytes, node, "message");
    const text =
      message === "" ? stringsOf(bytes, node.fields.get("messageList")).join("\n") : message;
    const labels = itemsOf(node.fields.get("options"))
      .map((option) => stringIn(bytes, option, "label"))
      .filter((label) => label !== "");
    return [text, ...labels.map((label) => `- ${label}`)].filter((line) => line !== "").join("\n");
  });
}

/** Lists the options of all answers, with the values that clients send back, as text. */
export function answerOptions(
  bytes: Uint8Array,
  facts: TurnFacts,
): readonly { readonly value: string; readonly label: string }[] {
  return facts.answers.flatMap(({ node }) =>
    itemsOf(node?.fields.get("options")).flatMap((option) => {
      const given = findMember(option, "value");
      const value = given === undefined ? null : readScalar(bytes, given);
      return value === null ? [] : [{ value, label: stringIn(bytes, option, "label") }];
    }),
  );
}

/** Reads name and address from the final callback of the engine's own form (chatbot.md, 7.2). */
export function readEngineForm(
  bytes: Uint8Array,
  facts: TurnFacts,
): { readonly name: string; readonly email: string } {
  for (const { node } of facts.answers) {
    for (const action of itemsOf(node?.fields.get("actions"))) {
      const data = findMember(findMember(action, "parameters"), "data");
      if (data?.kind !== "object") continue;
      const readValue = (name: string): string =>
        stringIn(bytes, data, name).trim().slice(0, maxLength);
      const name = [readValue("FIRST_NAME"), readValue("LAST_NAME")].filter((part) => part !== "");
      return { name: name.join(" "), email: readValue("EMAIL_ADDRESS") };
    }
  }
  return { name: "", email: "" };
}

const maxLength = 120;

const FORM: Shape = { fields: { FIRST_NAME: {}, LAST_NAME: {}, EMAIL_ADDRESS: {} } };
const CALLS: Shape = { fields: { DIRECT_CALL: {}, DYNAMIC_REDIRECT: {} } };

const ANSWER: Shape = {
  fields: {
    type: {},
    message: {},
    messageList: { items: {} },
    flags: { items: {} },
    options: { items: { fields: { label: {}, value: {}, attributes: CALLS } } },
    attributes: { each: {} },
    actions: { items: { fields: { parameters: { fields: { callback: {}, data: FORM } } } } },
    intent: { fields: { score: {} } },
    parameters: { fields: { contents: { fields: { title: {} } } } },
  },
};

const TURN = compileShape({ fields: { ...ANSWER.fields, answers: { items: ANSWER } } });

// One of these distinguishes a bare answer from an error body, as in direct-answers/decide.ts.
const ANSWER_FIELDS = ["flags", "message", "messageList", "parameters"];

function answerFacts(bytes: Uint8Array, node: JsonNode): AnswerFacts {
  if (node.kind !== "object") return NO_ANSWER;
  const type = stringIn(bytes, node, "type");
  const attributes = attributesOf(bytes, node.fields.get("attributes"));
  const options = type === "polarQuestion" ? itemsOf(node.fields.get("options")) : [];
  const calls = options.flatMap((option) =>
    callsIn(attributesOf(bytes, findMember(option, "attributes"))),
  );
  const titles = [
    attributes.get("inbmaintitle") ?? "",
    attributes.get("title") ?? "",
    stringIn(bytes, findMember(findMember(node, "parameters"), "contents"), "title"),
  ];
  return {
    node,
    type,
    flags: stringsOf(bytes, node.fields.get("flags")),
    directCalls: [...callsIn(attributes), ...calls],
    callbacks: itemsOf(node.fields.get("actions")).flatMap((action) => {
      const callback = callbackOf(bytes, action);
      return callback === "" ? [] : [callback];
    }),
    titles: titles.filter((title) => title !== ""),
    text: findSoleText(node, bytes),
    score: numberOf(bytes, findMember(findMember(node, "intent"), "score")),
    attributes,
  };
}

/** Returns `parameters.callback` of an element of `actions`, or "". */
export function callbackOf(bytes: Uint8Array, action: JsonNode): string {
  return stringIn(bytes, findMember(action, "parameters"), "callback");
}

function callsIn(attributes: ReadonlyMap<string, string>): readonly string[] {
  const calls = [attributes.get("direct_call") ?? "", attributes.get("dynamic_redirect") ?? ""];
  return calls.filter((call) => call !== "");
}

function attributesOf(bytes: Uint8Array, node: JsonNode | undefined): ReadonlyMap<string, string> {
  if (node?.kind !== "object" || node.fields.size === 0) return NO_ATTRIBUTES;
  const values = new Map<string, string>();
  for (const [name, value] of node.fields) {
    const text = readScalar(bytes, value);
    if (text !== null) values.set(name.toLowerCase(), text);
  }
  return values;
}

/** Returns the items of a list. Empty for anything else. */
function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === "array" ? node.items : [];
}

function stringsOf(bytes: Uint8Array, node: JsonNode | undefined): readonly string[] {
  return itemsOf(node).flatMap((item) => readString(bytes, item) ?? []);
}

function stringIn(bytes: Uint8Array, node: JsonNode | undefined, name: string): string {
  return readString(bytes, findMember(node, name)) ?? "";
}

function numberOf(bytes: Uint8Array, node: JsonNode | undefined): number | null {
  return node?.kind === "number" ? Number(rawOf(bytes, node)) : null;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

const NO_ANSWER: AnswerFacts = {
  node: null,
  type: "",
  flags: [],
  directCalls: [],
  callbacks: [],
  titles: [],
  text: null,
  score: null,
  attributes: NO_ATTRIBUTES,
};
