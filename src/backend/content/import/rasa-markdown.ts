import { decodeText } from "./decode-text.ts";
import { type ImportFile, quoteShort } from "./imported/imported.ts";
import type { Omission } from "./imported/omissions.ts";
import type { Flow } from "./rasa-flows.ts";

/** The parts of a bot that Rasa 1 keeps in a Markdown file. */
export interface RasaMarkdown {
  readonly intents: readonly Named[];
  /** Answers of retrieval intents, which stand beside them. */
  readonly responses: readonly Named[];
  readonly synonyms: readonly (readonly string[])[];
  readonly flows: readonly Flow[];
  readonly left: readonly Omission[];
}

interface Named {
  readonly name: string;
  readonly line: number;
  readonly texts: readonly string[];
}

/**
 * Only Markdown files with these words in their path may belong to a bot; others are documentation.
 */
export function isRasaMarkdownName(name: string): boolean {
  return /\.md$/iu.test(name) && /nlu|stor(?:y|ies)|core|responses/iu.test(name);
}

/** True for training data or stories of Rasa 1. */
export function isRasaMarkdown({ name, bytes }: ImportFile): boolean {
  if (!/\.md$/iu.test(name)) return false;
  const { text } = decodeText(bytes, null);
  if (DATA.test(text) || !isRasaMarkdownName(name)) return DATA.test(text);
  const lines = text.split(/\r?\n/u);
  const hasAction = lines.some((one) => one.trim().startsWith("- "));
  return hasAction && lines.some(saysIntent) && lines.some((one) => one.startsWith("##"));
}

const DATA = /^##[ \t]{0,9}(?:intent|synonym|regex|lookup):/mu;

/** True for a reader's message in a story: `* greet`, `* inform{"city": "Berlin"}`, `* yes OR ok`. */
function saysIntent(line: string): boolean {
  return line.startsWith("*") && intentsIn(line.slice(1)).every((one) => /^[\w/.-]+$/u.test(one));
}

function intentsIn(label: string): readonly string[] {
  return label.split(" OR ").map((one) => (one.split("{", 1)[0] ?? "").trim());
}

/** Reads training data (`## intent:hours`), stories, and answers of retrieval intents. */
export function readRasaMarkdown({ name: file, bytes }: ImportFile): RasaMarkdown {
  const found = {
    intents: [] as (Named & { readonly texts: string[] })[],
    responses: [] as Named[],
    synonyms: [] as (readonly string[])[],
    flows: [] as Flow[],
    left: [] as Omission[],
  };
  for (const section of cutSections(withoutComments(decodeText(bytes, null).text))) {
    const { title, line, lines } = section;
    const [, kind = "", value = ""] = /^(intent|synonym|regex|lookup):(.*)$/su.exec(title) ?? [];
    const name = value.trim();
    const texts = lines.flatMap(({ text }) => {
      const item = text.trim();
      return /^[-*+]\s/u.test(item) ? [item.slice(1).trim()] : [];
    });
    if (kind === "intent") found.intents.push({ name, line, texts });
    else if (kind === "synonym") {
      const group = [...new Set([name, ...texts])];
      if (group.length > 1) found.synonyms.push(group);
    } else if (kind !== "") {
      found.left.push({ file, line, part: `${kind} ${quoteShort(name)}`, code: "entity" });
    } else readStory(section, file, found);
  }
  return found;
}

interface Section {
  /** The text after the heading's `#` signs. */
  readonly title: string;
  readonly line: number;
  readonly lines: readonly { readonly text: string; readonly line: number }[];
}

function cutSections(text: string): readonly Section[] {
  const sections: (Section & { readonly lines: { text: string; line: number }[] })[] = [];
  for (const [index, one] of text.split(/\r?\n/u).entries()) {
    const line = index + 1;
    if (one.startsWith("##")) {
      sections.push({ title: one.replace(/^#+/u, "").trim(), line, lines: [] });
    } else sections.at(-1)?.lines.push({ text: one, line });
  }
  return sections;
}

/** Takes comments out; their line breaks stay, so that lines keep their numbers. */
function withoutComments(text: string): string {
  return text
    .split("<!--")
    .map((part, index) => {
      const end = index === 0 ? 0 : part.indexOf("-->");
      if (index === 0) return part;
      const comment = end === -1 ? part : part.slice(0, end);
      return "\n".repeat(comment.split("\n").length - 1) + (end === -1 ? "" : part.slice(end + 3));
    })
    .join("");
}

/** Reads a story's turns: `* hours` is what the reader means, `- utter_hours` what the bot does. */
function readStory(
  { title, line, lines }: Section,
  file: string,
  { flows, responses }: { readonly flows: Flow[]; readonly responses: Named[] },
): void {
  const kind = "story";
  const mine: (Flow & { readonly actions: string[] })[] = [];
  // A checkpoint before the first turn, or a slot, means that something came before.
  let isFree = true;
  for (const { text, line: at } of lines) {
    const intent = /^\s*\*\s*(\S.*)$/u.exec(text)?.[1];
    const done = /^\s*-\s+(\S.*)$/u.exec(text)?.[1]?.trim();
    const current = mine.at(-1);
    if (intent !== undefined) {
      const intents = intentsIn(intent);
      const [retrieved = ""] = intents;
      if (retrieved.includes("/")) responses.push({ name: retrieved, line: at, texts: [] });
      const isConditional = intent.includes("{");
      mine.push({ kind, name: title, file, line, intents, actions: [], isFree, isConditional });
      isFree = false;
    } else if (done === undefined) {
      if (current === undefined && text.trim() !== "") isFree = false;
    } else if (current === undefined) isFree = false;
    else if (!/^(?:slot|form|action_listen\b)/u.test(done)) current.actions.push(done);
  }
  for (const flow of mine) {
    const [name = ""] = flow.intents;
    const index = responses.findIndex((one) => one.name === name && one.texts.length === 0);
    const response = responses[index];
    if (response !== undefined) responses[index] = { ...response, texts: flow.actions };
    else flows.push(flow);
  }
}
