import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import { isRecord } from "../../../json/values.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import type { Doubt } from "./imported/answer.ts";
import { composeText, type Position } from "./imported/compose.ts";
import { messagesIn } from "./dialogflow-messages.ts";
import {
  type Imported,
  type ImportedContent,
  type ImportedText,
  type ImportFile,
  shorten,
  UNNAMED,
} from "./imported/imported.ts";
import type { Omission } from "./imported/omissions.ts";
import { readJsonFile } from "./read-json.ts";

/** True for the value of an intent, of its phrases, or of `agent.json`. */
export function isDialogflow(value: unknown): boolean {
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!isRecord(first)) return false;
  const has = (...keys: readonly string[]): boolean => keys.every((key) => key in first);
  return (
    has("userSays") ||
    has("responses", "name") ||
    (has("isTemplate") && Array.isArray(first["data"])) ||
    has("supportedLanguages") ||
    has("onePlatformApiVersion")
  );
}

/**
 * Reads an agent of Dialogflow ES: `agent.json`, `intents/NAME.json`, their phrases in
 * `intents/NAME_usersays_LANG.json`, and the synonyms of entities.
 */
export function readDialogflow(files: readonly ImportFile[], reporter: Reporter): Imported {
  const agent: Agent = { language: UNNAMED, intents: new Map(), synonyms: new Map(), left: [] };
  const values = files.flatMap((file) => {
    const value = /\.json$/iu.test(file.name) ? readJsonFile(file, reporter) : null;
    return value === undefined ? [] : [{ name: file.name, value }];
  });
  const settings = values.find(({ name }) => /(?:^|\/)agent\.json$/iu.test(name))?.value;
  agent.language = (readTextMember(settings, "language") ?? UNNAMED).toLowerCase();
  for (const { name, value } of values) addFile(name, value, agent);
  const contents = [...agent.intents].flatMap(([path, intent]) => contentOf(path, intent, agent));
  return { contents, synonyms: agent.synonyms, left: agent.left };
}

interface Agent {
  language: string;
  /** By path without `.json`. */
  readonly intents: Map<string, Intent>;
  readonly synonyms: Map<string, (readonly string[])[]>;
  readonly left: Omission[];
}

interface Intent {
  value: unknown;
  file: string;
  /** By language. */
  readonly phrases: Map<string, string[]>;
}

function addFile(name: string, value: unknown, agent: Agent): void {
  const [, phrasesOf, language] =
    /^(.*)_usersays_([a-z]{2,3}(?:[-_]\w{2,4})?)\.json$/iu.exec(name) ?? [];
  const [, entity, entityLanguage] =
    /^(.*)_entries_([a-z]{2,3}(?:[-_]\w{2,4})?)\.json$/iu.exec(name) ?? [];
  if (phrasesOf !== undefined && language !== undefined) {
    addPhrases(intentAt(phrasesOf, name, agent), value, language.toLowerCase(), name, agent.left);
  } else if (entity !== undefined && entityLanguage !== undefined) {
    addSynonyms(value, entityLanguage, agent);
  } else if (
    isRecord(value) &&
    ("userSays" in value || ("responses" in value && "name" in value))
  ) {
    const intent = intentAt(name.replace(/\.json$/iu, ""), name, agent);
    Object.assign(intent, { value, file: name });
    addPhrases(intent, memberOf(value, "userSays"), agent.language, name, agent.left);
  } else if (/(?:^|\/)entities\/[^/]+\.json$/iu.test(name)) {
    addSynonyms(memberOf(value, "entries"), agent.language, agent);
    leaveEntity(value, name, agent.left);
  } else if (/(?:^|\/)customSmalltalkResponses_/iu.test(name)) {
    const count = Array.isArray(value) ? value.length : 0;
    const part = `customSmalltalkResponses: ${count}`;
    agent.left.push({ file: name, line: null, part, code: "small-talk" });
  } else if (!/(?:^|\/)(?:agent|package)\.json$/iu.test(name)) {
    agent.left.push({ file: name, line: null, part: null, code: "file" });
  }
}

function intentAt(path: string, file: string, { intents }: Agent): Intent {
  const intent = intents.get(path) ?? { value: null, file, phrases: new Map<string, string[]>() };
  intents.set(path, intent);
  return intent;
}

function addPhrases(
  { phrases }: Intent,
  value: unknown,
  language: string,
  file: string,
  left: Omission[],
): void {
  for (const one of readListMember({ value }, "value")) {
    if (memberOf(one, "isTemplate") === true) {
      left.push({ file, line: null, part: textIn(one), code: "template" });
      continue;
    }
    const tag = readTextMember(one, "lang")?.toLowerCase() ?? language;
    const text = textIn(one);
    const known = phrases.get(tag) ?? [];
    known.push(text);
    phrases.set(tag, known);
  }
}

function textIn(phrase: unknown): string {
  return readListMember(phrase, "data")
    .map((part) => readTextMember(part, "text") ?? "")
    .join("");
}

function addSynonyms(value: unknown, language: string, { synonyms }: Agent): void {
  for (const entry of readListMember({ value }, "value")) {
    const words = [
      readTextMember(entry, "value") ?? "",
      ...readListMember(entry, "synonyms").map(String),
    ];
    const group = [...new Set(words.map((word) => word.trim()).filter((word) => word !== ""))];
    // A reference to another entity, such as @size, is no word.
    if (group.length < 2 || group.some((word) => word.includes("@"))) continue;
    const groups = synonyms.get(language) ?? [];
    groups.push(group);
    synonyms.set(language, groups);
  }
}

function leaveEntity(value: unknown, file: string, left: Omission[]): void {
  const part = `entity "${readTextMember(value, "name") ?? ""}"`;
  left.push({ file, line: null, part, code: "entity" });
}

function contentOf(
  path: string,
  { value, file, phrases }: Intent,
  agent: Agent,
): readonly ImportedContent[] {
  const { left, language: usual } = agent;
  const key = readTextMember(value, "name") ?? path.split("/").at(-1) ?? path;
  const position: Position = { file, line: null, part: `intent "${key}"` };
  if (value === null) {
    left.push({ ...position, code: "no-answer" });
    return [];
  }
  const [response = null] = readListMember(value, "responses");
  const messages = messagesIn(response, usual);
  const line = lineFor(value, key, phrases);
  if (line !== null) {
    const all = [...messages.values()];
    const texts = all.flatMap(({ answers, left: others }) => [
      ...answers.map(shorten),
      ...others.map(({ text }) => text),
    ]);
    for (const text of texts) left.push({ ...position, code: "line", params: { line }, text });
    if (phrases.size === 0) return [];
  }
  const contexts = readListMember(value, "contexts").map(String);
  const texts = new Map<string, ImportedText>();
  for (const language of new Set([...phrases.keys(), ...messages.keys()])) {
    const spoken = messages.get(language) ?? messages.get(UNNAMED);
    const tag = phrases.size + messages.size > 2 ? ` (${language})` : "";
    const found = {
      phrases: phrases.get(language) ?? [],
      answers: spoken?.answers ?? [],
      images: spoken?.images ?? [],
      options: spoken?.options ?? [],
      after: contexts.length === 0 ? null : contexts.join(", "),
      doubt: doubtOf(value, response),
      placeholder: PARAMETER,
    };
    const own = { ...position, part: `${position.part}${tag}` };
    for (const one of spoken?.left ?? []) left.push({ ...own, ...one });
    const text = composeText(found, own, left);
    if (text !== null) texts.set(language, text);
  }
  return texts.size === 0 ? [] : [{ key, file, line: null, texts }];
}

/** `$city`, `$date.original` and `#context.value`, but no price. */
const PARAMETER = /(?<![\w$])\$[A-Za-z_][\w-]{0,60}|(?<![\w&])#[A-Za-z_][\w-]{0,60}\.[A-Za-z_]/u;

/** Finds the line of Afterword that corresponds to a welcome or fallback intent. */
function lineFor(
  value: unknown,
  key: string,
  phrases: ReadonlyMap<string, unknown>,
): string | null {
  if (memberOf(value, "fallbackIntent") === true) return "no-results";
  const events = readListMember(value, "events").map(
    (one) => readTextMember(one, "name") ?? String(one),
  );
  const welcomes = events.some((event) => event.endsWith("WELCOME"));
  return welcomes || (phrases.size === 0 && /welcome/iu.test(key)) ? "welcome" : null;
}

/** Finds the reason why an intent's answer does not suit every reader, or null. */
function doubtOf(value: unknown, response: unknown): Doubt | null {
  if (memberOf(value, "webhookUsed") === true) {
    return { code: "unpublished-program", text: "webhook" };
  }
  const asked = readListMember(response, "parameters").filter(
    (one) => memberOf(one, "required") === true,
  );
  if (asked.length === 0) return null;
  const names = asked.map((one) => readTextMember(one, "name") ?? "").join(", ");
  return { code: "unpublished-form", text: names };
}
