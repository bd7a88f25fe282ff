import { type Flag, toFlag } from "../../src/direct-answers/flags.ts";
import type { InstanceRules } from "../../src/direct-answers/types.ts";

type Json = Record<string, unknown>;

/**
 * The rules for a parsed response, implemented a second time over plain objects, to compare with
 * the decision over bytes. `texts` are the replacements, with the count of the answer's options
 * after them.
 */
export function expectedResponse(response: unknown, rules: InstanceRules, texts: Texts): unknown {
  const result = structuredClone(response);
  for (const answer of answersOf(result)) {
    if (!sayFlagged(answer, texts)) sayDefaultContent(answer, rules, texts);
    sayRelatedTitle(answer, texts);
    const inside = answer["subAnswers"];
    for (const one of Array.isArray(inside) ? inside.filter(isObject) : []) {
      sayFlagged(one, texts);
      sayRelatedTitle(one, texts);
    }
  }
  return result;
}

type Texts = (key: string, count: number | null) => string | null;

/** True for an answer with a direct-answer flag. */
function sayFlagged(answer: Json, texts: Texts): boolean {
  const flags = (Array.isArray(answer["flags"]) ? answer["flags"] : []).flatMap((name) =>
    typeof name === "string" ? (toFlag(name) ?? []) : [],
  );
  const count = lengthOf(answer["options"]);
  const replacement = flags.map((flag) => texts(flag, count)).find((text) => text !== null);
  if (replacement !== undefined && replacement !== null) sayIn(answer, replacement);
  return flags.length > 0;
}

function sayDefaultContent(answer: Json, rules: InstanceRules, texts: Texts): void {
  const flag = recognized(answer, rules);
  if (flag === null) return;
  const replacement = rules.replace[flag] && texts(flag, lengthOf(answer["options"]));
  if (typeof replacement === "string") sayIn(answer, replacement);
  if (rules.restoreFlags && Array.isArray(answer["flags"])) answer["flags"].push(flag);
}

function sayRelatedTitle(answer: Json, texts: Texts): void {
  const related = at(at(answer["parameters"], "contents"), "related");
  const title = isObject(related) ? related["relatedTitle"] : null;
  if (!isObject(related) || typeof title !== "string") return;
  const count = lengthOf(related["relatedContents"]);
  if (title !== "" || count !== null) {
    related["relatedTitle"] = texts("related-title", count) ?? title;
  }
}

function answersOf(response: unknown): Json[] {
  if (!isObject(response)) return [];
  if (!Object.hasOwn(response, "answers")) return [response];
  const answers = response["answers"];
  return Array.isArray(answers) ? answers.filter(isObject) : [];
}

function sayIn(answer: Json, replacement: string): void {
  const { message, messageList } = answer;
  const strings = Array.isArray(messageList)
    ? messageList.filter((item) => typeof item === "string")
    : [];
  if (![message, ...strings].some((text) => typeof text === "string" && text !== "")) return;
  if (typeof message === "string") answer["message"] = replacement;
  if (strings.length > 0) answer["messageList"] = [replacement];
}

function recognized(answer: Json, rules: InstanceRules): Flag | null {
  const titles = [
    at(answer["attributes"], "inbMainTitle"),
    at(answer["attributes"], "title"),
    at(at(answer["parameters"], "contents"), "title"),
  ];
  for (const title of titles) {
    if (typeof title !== "string") continue;
    for (const [known, flag] of Object.entries(rules.recognize)) {
      if (known === folded(title) && rules.activeDefaultContent.includes(flag)) return flag;
    }
  }
  const list = Array.isArray(answer["messageList"]) ? answer["messageList"] : [];
  const messages = new Set([answer["message"], ...list].filter((text) => typeof text === "string"));
  const [text, ...others] = [...messages].map(folded);
  if (text === undefined || others.length > 0) return null;
  return (
    rules.activeDefaultContent.find((flag) => rules.replace[flag]?.map(folded).includes(text)) ??
    null
  );
}

function folded(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

function lengthOf(value: unknown): number | null {
  return Array.isArray(value) && value.length > 0 ? value.length : null;
}

function at(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
