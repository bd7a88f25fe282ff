import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import { isRecord } from "../../../json/values.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import { composeText, type Position } from "./compose.ts";
import { messagesIn } from "./dialogflow-messages.ts";
import {
  countOf,
  type Imported,
  type ImportedContent,
  type ImportedText,
  type ImportFile,
  type Omission,
  quoteShort,
  UNNAMED,
} from "./imported.ts";
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
    const why = "its phrases are not in the export: write those that you need as contents";
    agent.left.push({
      file: name,
      line: null,
      what: `small talk with ${countOf(count, "answer")}`,
      why,
    });
  } else if (!/(?:^|\/)(?:agent|package)\.json$/iu.test(name)) {
    const why = "it holds neither intents nor entities";
    agent.left.push({ file: name, line: null, what: "file", why });
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
  let templates = 0;
  for (const one of readListMember({ value }, "value")) {
    if (memberOf(one, "isTemplate") === true) {
      templates += 1;
      continue;
    }
    const tag = readTextMember(one, "lang")?.toLowerCase() ?? language;
    const text = readListMember(one, "data")
      .map((part) => readTextMember(part, "text") ?? "")
      .join("");
    const known = phrases.get(tag) ?? [];
    known.push(text);
    phrases.set(tag, known);
  }
  if (templates === 0) return;
  const why = "templates of phrases have no words of their own";
  left.push({ file, line: null, what: countOf(templates, "template"), why });
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
  const why =
    memberOf(value, "isRegexp") === true
      ? "a pattern finds values; a form asks for them"
      : "synonyms came over; values that a question holds are asked for by a form";
  left.push({ file, line: null, what: `entity "${readTextMember(value, "name") ?? ""}"`, why });
}

function contentOf(
  path: string,
  { value, file, phrases }: Intent,
  agent: Agent,
): readonly ImportedContent[] {
  const { left, language: usual } = agent;
  const key = readTextMember(value, "name") ?? path.split("/").at(-1) ?? path;
  const position: Position = { file, line: null, what: `intent "${key}"` };
  if (value === null) {
    left.push({ ...position, why: "its phrases have no intent beside them" });
    return [];
  }
  const [response = null] = readListMember(value, "responses");
  const messages = messagesIn(response, usual);
  const line = lineFor(value, key, phrases);
  if (line !== null) {
    const all = [...messages.values()];
    const why = `write it as the line ${line} of messages (docs/messages.md)`;
    for (const answer of all.flatMap(({ answers }) => answers)) {
      left.push({ ...position, what: `${position.what}, ${quoteShort(answer)}`, why });
    }
    for (const { what } of all.flatMap((one) => one.left)) {
      left.push({ ...position, what: `${position.what}, ${what}`, why });
    }
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
    const own = { ...position, what: `${position.what}${tag}` };
    for (const { what, why } of spoken?.left ?? [])
      left.push({ ...own, what: `${own.what}, ${what}`, why });
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
function doubtOf(value: unknown, response: unknown): string | null {
  if (memberOf(value, "webhookUsed") === true) return "a program answers it by webhook";
  const asked = readListMember(response, "parameters").filter(
    (one) => memberOf(one, "required") === true,
  );
  if (asked.length === 0) return null;
  const names = asked.map((one) => readTextMember(one, "name") ?? "").join(", ");
  return `it asks for ${names}: write that as a form`;
}
