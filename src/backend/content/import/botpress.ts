import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import { isRecord } from "../../../json/values.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import { composeText, firstOf, type Position } from "./imported/compose.ts";
import {
  type Imported,
  type ImportedContent,
  type ImportedText,
  type ImportFile,
  UNNAMED,
} from "./imported/imported.ts";
import type { Omission } from "./imported/omissions.ts";
import { readJsonFile } from "./read-json.ts";

/** True for the value of an export of Botpress's questions and answers, or of one of its files. */
export function isBotpress(value: unknown): boolean {
  if (Array.isArray(memberOf(value, "qnas"))) return true;
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [value];
  return isQna(first) || isIntent(first);
}

function isQna(value: unknown): boolean {
  const data = memberOf(value, "data") ?? value;
  return isRecord(data) && "questions" in data && ("answers" in data || "answer" in data);
}

/** `intents/NAME.json` of a bot's folder. */
function isIntent(value: unknown): boolean {
  return isRecord(memberOf(value, "utterances")) && memberOf(value, "name") !== null;
}

/**
 * Reads questions and answers of Botpress 11 and 12: the export (`qnas`), its list alone, or the
 * files of a bot's folder `qna`.
 */
export function readBotpress(files: readonly ImportFile[], reporter: Reporter): Imported {
  const contents: ImportedContent[] = [];
  const left: Omission[] = [];
  for (const file of files) {
    const value = /\.json$/iu.test(file.name) ? readJsonFile(file, reporter) : null;
    if (value === undefined) continue;
    if (!isBotpress(value)) {
      left.push({ file: file.name, line: null, part: null, code: "file" });
      continue;
    }
    const elements = elementsOf(value);
    const listed = readListMember(value, "qnas");
    const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, entry] of (listed.length > 0 ? listed : entries).entries()) {
      if (memberOf(value, "qnas") !== null && listed.length === 0) continue;
      const content = isIntent(entry)
        ? leaveIntent(entry, file.name, left)
        : readQna(entry, index, file.name, elements, left);
      if (content !== null) contents.push(content);
    }
  }
  return { contents, synonyms: new Map(), left };
}

/** Texts of content elements by their reference, such as `builtin_text-x`, and language. */
type Elements = ReadonlyMap<string, unknown>;

function elementsOf(value: unknown): Elements {
  const listed = ["contentElements", "content"].flatMap((key) => readListMember(value, key));
  return new Map(listed.map((one) => [readTextMember(one, "id") ?? "", memberOf(one, "formData")]));
}

function readQna(
  entry: unknown,
  index: number,
  file: string,
  elements: Elements,
  left: Omission[],
): ImportedContent | null {
  const data = memberOf(entry, "data") ?? entry;
  const key = readTextMember(entry, "id") ?? `number ${index + 1}`;
  const questions = byLanguage(memberOf(data, "questions"));
  const answers = byLanguage(memberOf(data, "answers") ?? memberOf(data, "answer"));
  const isOn = !["false", false].some((no) => memberOf(data, "enabled") === no);
  const texts = new Map<string, ImportedText>();
  for (const language of new Set([...questions.keys(), ...answers.keys()])) {
    const tag = language === UNNAMED ? "" : ` (${language})`;
    const position: Position = { file, line: null, part: `question "${key}"${tag}` };
    const phrases = questions.get(language) ?? [];
    const written = (answers.get(language) ?? []).map((one) => textOf(one, language, elements));
    if (phrases.length === 0 && written.length === 0) continue;
    const answer = firstOf(written, position, left);
    const text = composeText(
      {
        phrases,
        answers: answer === null ? [] : [answer],
        category: categoryOf(data),
        published: isOn,
        doubt:
          answer?.startsWith("#!") === true ? { code: "unpublished-element", text: answer } : null,
        placeholder: /\{\{[^{}]{1,100}\}\}/u,
      },
      position,
      left,
    );
    if (text !== null) texts.set(language, text);
  }
  leaveFlow(data, key, file, left);
  return texts.size === 0 ? null : { key, file, line: null, texts };
}

/** Texts of each language; those of a list or a single text have none. */
function byLanguage(value: unknown): ReadonlyMap<string, readonly string[]> {
  return isRecord(value)
    ? new Map(Object.entries(value).map(([language, list]) => [language, textsOf(list)]))
    : new Map([[UNNAMED, textsOf(value)]]);
}

function textsOf(list: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(list) ? list : [list];
  return texts.filter((one) => typeof one === "string").filter((one) => one !== "");
}

/** An answer such as `#!builtin_text-x` stands for a content element. */
function textOf(answer: string, language: string, elements: Elements): string {
  if (!answer.startsWith("#!")) return answer;
  const form = elements.get(answer.slice(2));
  return readTextMember(form, `text$${language}`) ?? readTextMember(form, "text") ?? answer;
}

/** The first context, but for the one that all have. */
function categoryOf(data: unknown): string | null {
  const contexts = readListMember(data, "contexts").map(String);
  const category = contexts.find((one) => one !== "global") ?? readTextMember(data, "category");
  return category === "global" ? null : category;
}

function leaveFlow(data: unknown, key: string, file: string, left: Omission[]): void {
  const flow = readTextMember(data, "redirectFlow");
  const position: Position = { file, line: null, part: `question "${key}"` };
  if (flow !== null && readTextMember(data, "action") !== "text") {
    left.push({ ...position, code: "goes-on", text: flow });
  }
  const elements = Object.values(memberOf(data, "contentAnswers") ?? {}).flat();
  if (elements.length > 0) {
    left.push({ ...position, code: "rich", text: listTypes(elements) });
  }
}

/** Names content elements by their types, such as `builtin_card`. */
function listTypes(elements: readonly unknown[]): string {
  const types = elements.map((one) => readTextMember(one, "contentType") ?? "contentAnswers");
  return [...new Set(types)].join(", ");
}

/** An intent has no answer of its own. Those of questions are in the questions' files too. */
function leaveIntent(entry: unknown, file: string, left: Omission[]): null {
  const name = readTextMember(entry, "name") ?? "";
  if (!name.startsWith("__qna__")) {
    left.push({ file, line: null, part: `intent "${name}"`, code: "answered-by-program" });
  }
  return null;
}
