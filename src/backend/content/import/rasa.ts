import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import { isRecord } from "../../../json/values.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import { positionAt } from "../../../yaml/source.ts";
import type { Path, YamlFile } from "../../../yaml/yaml.ts";
import { composeText, type Position, leaveAll } from "./imported/compose.ts";
import { decodeText } from "./decode-text.ts";
import {
  type Imported,
  type ImportedContent,
  type ImportFile,
  quoteShort,
  shorten,
  UNNAMED,
} from "./imported/imported.ts";
import type { Omission } from "./imported/omissions.ts";
import { type Flow, flowsOf, readWay } from "./rasa-flows.ts";
import { isRasaMarkdown, readRasaMarkdown } from "./rasa-markdown.ts";
import { type RasaResponse, readResponse, SLOT, textOf } from "./rasa-responses.ts";
import { parseRasaYaml } from "./rasa-yaml.ts";

/** True if files of Rasa are among these: intents, responses, rules, stories or a domain. */
export function isRasa(files: readonly ImportFile[]): boolean {
  return withoutTests(files).some(
    (file) => isRasaYaml(file) || isRasaMarkdown(file) || isRasaJson(file),
  );
}

function isRasaYaml({ name, bytes }: ImportFile): boolean {
  if (!/\.ya?ml$/iu.test(name)) return false;
  const text = decodeText(bytes, null).text;
  return KEYS.test(text) && !/^(?:contents|instances|services|jobs):/mu.test(text);
}

/** True for training data in JSON, which Rasa itself converts. */
function isRasaJson({ name, bytes }: ImportFile): boolean {
  return /\.json$/iu.test(name) && Buffer.from(bytes).includes('"rasa_nlu_data"');
}

/** Leaves out test stories and the reports of tests, which are not part of the bot. */
function withoutTests(files: readonly ImportFile[]): readonly ImportFile[] {
  // The bot itself may lie in a folder of that name.
  const root = findCommonFolder(files.map(({ name }) => name));
  const own = files.filter(({ name }) => !TESTS.test(name.slice(root.length)));
  return own.length === 0 ? files : own;
}

const TESTS = /(?:^|\/)(?:tests?|results)\/|(?:^|\/)test_[^/]*$/iu;

/** The folder in which all of the files are, with its last slash; empty without one. */
function findCommonFolder(names: readonly string[]): string {
  const [first = ""] = names;
  let end = first.lastIndexOf("/") + 1;
  while (end > 0 && !names.every((name) => name.startsWith(first.slice(0, end)))) {
    end = end === 1 ? 0 : first.lastIndexOf("/", end - 2) + 1;
  }
  return first.slice(0, end);
}

const KEYS =
  /^(?:nlu|responses|templates|rules|stories|flows|intents|slots|forms|actions|entities|e2e_responses):/mu;

/**
 * Reads a bot of Rasa 1, 2 or 3: intents with their examples, and the responses that rules and
 * stories give to them. Without rules and stories, `utter_NAME` answers the intent NAME.
 */
export function readRasa(files: readonly ImportFile[], reporter: Reporter): Imported {
  const bot = emptyBot();
  for (const file of withoutTests(files)) {
    if (isRasaYaml(file)) readFile(file, bot, reporter);
    else if (isRasaMarkdown(file)) addMarkdown(file, bot);
    else if (/\.ya?ml$/iu.test(file.name)) readSettings(file, bot);
    else {
      bot.left.push({ file: file.name, line: null, part: null, code: "file-rasa" });
    }
  }
  // An intent's own examples come first, in whatever order the files do.
  for (const { value, ...position } of bot.told) addWords(value, position, bot);
  const used = new Set<string>();
  const contents = [...bot.intents].flatMap(([name, intent]): ImportedContent[] => {
    const text = contentOf(name, intent, bot, used);
    return text === null
      ? []
      : [
          {
            key: name,
            file: intent.file,
            line: intent.line,
            texts: new Map([[bot.language, text]]),
          },
        ];
  });
  leaveRest(bot, used);
  return { contents, synonyms: new Map([[bot.language, bot.synonyms]]), left: bot.left };
}

interface Bot {
  language: string;
  readonly intents: Map<string, Intent>;
  readonly responses: Map<string, RasaResponse>;
  readonly flows: Flow[];
  /** Rules and stories as they are written. */
  readonly told: (Pick<Intent, "file" | "line"> & { readonly value: unknown })[];
  readonly synonyms: (readonly string[])[];
  readonly left: Omission[];
}

interface Intent {
  readonly file: string;
  readonly line: number;
  readonly phrases: string[];
}

function emptyBot(): Bot {
  return {
    language: UNNAMED,
    intents: new Map(),
    responses: new Map(),
    flows: [],
    told: [],
    synonyms: [],
    left: [],
  };
}

function readFile({ name, bytes }: ImportFile, bot: Bot, reporter: Reporter): void {
  const file = parseRasaYaml(name, decodeText(bytes, null).text, reporter);
  if (file === null) return;
  const { value } = file;
  readNlu(file, bot);
  for (const key of ["responses", "templates"]) {
    const responses = memberOf(value, key);
    for (const [response, variants] of Object.entries(isRecord(responses) ? responses : {})) {
      const known = bot.responses.get(response);
      const list = Array.isArray(variants) ? variants : [variants];
      if (known === undefined) {
        const position = { file: name, line: lineOf(file, [key, response]) };
        bot.responses.set(response, { ...position, variants: [...list] });
      } else known.variants.push(...list);
    }
  }
  for (const kind of ["rules", "stories"] as const) {
    for (const [index, one] of readListMember(value, kind).entries()) {
      const line = lineOf(file, [kind, index]);
      bot.flows.push(...flowsOf(one, kind, name, line));
      bot.told.push({ value: one, file: name, line });
    }
  }
  readSettings({ name, bytes }, bot);
  bot.left.push(...leaveDomain(value, name));
}

/** Adds what a rule or story says in the words of the reader (`user`) and of the bot (`bot`). */
function addWords(value: unknown, position: Pick<Intent, "file" | "line">, bot: Bot): void {
  for (const step of readListMember(value, "steps")) {
    const asked = readTextMember(step, "user")?.trim() ?? "";
    const said = readTextMember(step, "bot")?.trim() ?? "";
    if (asked !== "") addIntent(bot, readTextMember(step, "intent") ?? asked, position, [asked]);
    if (said !== "") bot.responses.set(said, { ...position, variants: [said] });
  }
}

/** `config.yml` names the language. */
function readSettings({ bytes }: ImportFile, bot: Bot): void {
  const line = decodeText(bytes, null)
    .text.split(/\r?\n/u)
    .find((one) => one.startsWith("language:"));
  const [, language] = /^([A-Za-z]{2,3}(?:[-_]\w{2,8})?)$/u.exec(valueIn(line ?? "")) ?? [];
  if (language !== undefined) bot.language = language;
}

/** The value of `key: value # comment`, without quotes. */
function valueIn(line: string): string {
  const value = line.slice(line.indexOf(":") + 1).split("#", 1)[0] ?? "";
  return value.replace(/["']/gu, "").trim();
}

function readNlu(file: YamlFile, bot: Bot): void {
  const { source, value } = file;
  for (const [index, entry] of readListMember(value, "nlu").entries()) {
    const line = lineOf(file, ["nlu", index]);
    const intent = readTextMember(entry, "intent");
    const synonym = readTextMember(entry, "synonym");
    const examples = examplesOf(memberOf(entry, "examples"));
    if (intent !== null) {
      addIntent(bot, intent, { file: source.file, line }, examples);
    } else if (synonym !== null) {
      const group = [...new Set([synonym, ...examples])];
      if (group.length > 1) bot.synonyms.push(group);
    } else {
      const kind =
        ["regex", "lookup"].find((one) => readTextMember(entry, one) !== null) ?? "entry";
      const part = `${kind} ${quoteShort(readTextMember(entry, kind) ?? "")}`;
      bot.left.push({ file: source.file, line, part, code: "entity" });
    }
  }
}

/** Adds the parts that Rasa 1 keeps in Markdown. */
function addMarkdown(file: ImportFile, bot: Bot): void {
  const { intents, responses, synonyms, flows, left } = readRasaMarkdown(file);
  for (const { name, line, texts } of intents) {
    addIntent(bot, name, { file: file.name, line }, texts);
  }
  for (const { name, line, texts } of responses) {
    bot.responses.set(`utter_${name}`, { file: file.name, line, variants: [...texts] });
  }
  bot.synonyms.push(...synonyms);
  bot.flows.push(...flows);
  bot.left.push(...left);
}

function addIntent(
  { intents }: Bot,
  name: string,
  position: Pick<Intent, "file" | "line">,
  examples: readonly string[],
): void {
  const phrases = examples.map(withoutEntities);
  const known = intents.get(name);
  if (known === undefined) intents.set(name, { ...position, phrases });
  else known.phrases.push(...phrases);
}

/** Reads examples from lines that begin with a hyphen, or from a list of texts or of `text:`. */
function examplesOf(examples: unknown): readonly string[] {
  const texts =
    typeof examples === "string" ? [examples] : readListMember({ examples }, "examples");
  return texts.flatMap((one) => {
    const text = typeof one === "string" ? one : (readTextMember(one, "text") ?? "");
    return text.split("\n").flatMap((line) => {
      const phrase = line.trim().replace(/^-\s/u, "").trim();
      return phrase === "" || phrase === "-" || phrase.startsWith("#") ? [] : [phrase];
    });
  });
}

/** `to [Berlin](city)` and `to [Berlin]{"entity": "city"}` are `to Berlin`. */
function withoutEntities(phrase: string): string {
  return phrase.replace(ENTITY, "$1");
}

const ENTITY = /\[([^[\]]{1,300})\](?:\([^()]{0,300}\)|\{[^{}]{0,500}\}|\[[^[\]]{0,1000}\])/gu;

/** Makes one content of the answers to an intent. */
function contentOf(
  name: string,
  { file, line, phrases }: Intent,
  bot: Bot,
  used: Set<string>,
): ReturnType<typeof composeText> {
  const position: Position = { file, line, part: `intent ${quoteShort(name)}` };
  const { actions, after, doubt, others } = readWay(name, bot.flows, (one) =>
    bot.responses.has(one),
  );
  for (const { flow, code } of others) {
    const part = `${flow.kind} ${quoteShort(flow.name)}`;
    bot.left.push({ file: flow.file, line: flow.line, part, code, text: name });
  }
  const responses = actions.map((action) => {
    used.add(action);
    return readResponse(action, bot);
  });
  return composeText(
    {
      phrases,
      answers: responses.flatMap(({ answers }) => answers),
      images: responses.flatMap(({ images }) => images),
      options: responses.flatMap(({ options }) => options),
      after,
      doubt,
      placeholder: SLOT,
    },
    position,
    bot.left,
  );
}

/** Lists the parts of the domain that have no counterpart. */
function leaveDomain(value: unknown, file: string): readonly Omission[] {
  const listNames = (key: string): readonly string[] => {
    const member = memberOf(value, key);
    if (isRecord(member)) return Object.keys(member);
    return readListMember(value, key).map((one) =>
      isRecord(one) ? (Object.keys(one)[0] ?? "") : String(one),
    );
  };
  const actions = listNames("actions").filter((name) => !/^(?:utter|respond)_/u.test(name));
  return [
    ...leaveAll(file, "slot", listNames("slots"), { code: "form" }),
    ...leaveAll(file, "form", listNames("forms"), { code: "form" }),
    ...leaveAll(file, "entity", listNames("entities"), { code: "entity" }),
    ...leaveAll(file, "action", actions, { code: "program" }),
    ...leaveAll(file, "flow", listNames("flows"), { code: "answered-by-program" }),
  ];
}

/** Responses that no intent leads to. */
function leaveRest({ responses, intents, left }: Bot, used: ReadonlySet<string>): void {
  const retrieved = new Set([...intents.keys()].map((name) => `utter_${name}`));
  for (const [name, { file, line, variants }] of responses) {
    if (used.has(name) || retrieved.has(name)) continue;
    const text = variants.map(textOf).find((one) => one !== "") ?? "";
    left.push({
      file,
      line,
      part: `response ${quoteShort(name)}`,
      code: "no-question",
      text: shorten(text),
    });
  }
}

function lineOf(file: YamlFile, path: Path): number {
  return positionAt(file.source, file.locate(path, "key").start).line;
}
