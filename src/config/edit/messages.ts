import { type Document, isMap, Scalar } from "yaml";
import { createReporter } from "../../yaml/diagnostic.ts";
import { findText, findLineNode, findLineSpan, setText, removeText as removeNode } from "./node.ts";
import { type MessagesFile, readMessages } from "../load/read-messages.ts";
import { createSource } from "../../yaml/source.ts";
import {
  listMessageTexts,
  listLineTexts,
  type MessageText,
  formatTextId,
  type TextEdit,
  type TextAddress,
} from "../load/message-texts.ts";
import { parseDocumentWithin } from "../../yaml/parse-document.ts";
import { quoteYaml } from "../../yaml/quote.ts";

/**
 * Replaces and adds texts of a messages file. Comments and order stay, and if the edits only replace
 * texts and add lines, so does every other byte. Returns null if an edit would change other texts
 * (through anchors or unusual keys) or make the file invalid.
 */
export function editMessages(
  text: string,
  locale: string,
  edits: readonly TextEdit[],
): string | null {
  const before = read(text, locale);
  if (before === null) return null;
  const expected = textsOf(before);
  for (const { address, text: replacement } of edits)
    expected.set(formatTextId(address), replacement);
  for (const edit of [spliceTexts, rewriteTexts]) {
    const edited = edit(text, edits);
    const after = edited === null ? null : read(edited, locale);
    if (edited !== null && after !== null && isSameMap(textsOf(after), expected)) return edited;
  }
  return null;
}

/** Removes a line from a messages file. Returns null if that would change other lines. */
export function removeLine(text: string, locale: string, key: string): string | null {
  const before = read(text, locale);
  const span = findLineSpan(parseDocumentWithin(text), key);
  if (before === null || span === null) return null;
  const newline = text.indexOf("\n", span.end - 1);
  const edited = text.slice(0, span.start) + (newline === -1 ? "" : text.slice(newline + 1));
  const after = read(edited, locale);
  const lines = new Map([...before.lines].filter(([name]) => name !== key));
  const isExpected = after !== null && isSameMap(textsOf(after), textsOf({ ...before, lines }));
  return isExpected ? edited : null;
}

/**
 * Removes a text from a messages file. The variants after it move up. Returns null if that would
 * change other texts, or make the file invalid.
 */
export function removeText(text: string, locale: string, address: TextAddress): string | null {
  const before = read(text, locale);
  const id = formatTextId(address);
  const texts = before === null ? [] : [...listMessageTexts(before)];
  const rest = texts.filter((one) => formatTextId(one.address) !== id);
  if (rest.length === texts.length) return null;
  if (!rest.some((one) => one.address.key === address.key))
    return removeLine(text, locale, address.key);
  const document = parseDocumentWithin(text);
  const edited = removeNode(document, address) ? writeDocument(document, text) : null;
  const after = edited === null ? null : read(edited, locale);
  return after !== null && formatTexts(listMessageTexts(after)) === formatTexts(rest)
    ? edited
    : null;
}

/** A text that differs between two versions of a file, or is in only one of them. */
export interface TextDifference {
  readonly key: string;
  /** As {@link formatTextId} names it. */
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Finds the texts that differ between two versions of a messages file. Null stands for a missing
 * file. A version that cannot be read has no texts.
 */
export function compareMessages(
  before: string | null,
  after: string | null,
  locale: string,
): readonly TextDifference[] {
  const versions = [before, after].map((text) => {
    const file = text === null ? null : read(text, locale);
    const texts = file === null ? [] : [...listMessageTexts(file)];
    return new Map(texts.map((one) => [formatTextId(one.address), one]));
  });
  const [old = new Map<string, MessageText>(), fresh = new Map<string, MessageText>()] = versions;
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((id): TextDifference[] => {
    const [was, is] = [old.get(id), fresh.get(id)];
    const key = (is ?? was)?.address.key;
    if (key === undefined || was?.text === is?.text) return [];
    return [{ key, id, before: was?.text ?? null, after: is?.text ?? null }];
  });
}

/** Formats texts for a comparison that ignores the positions of variants. */
function formatTexts(texts: Iterable<MessageText>): string {
  const list = Array.from(texts, ({ address, text }) => [address.key, address.branch.kind, text]);
  return JSON.stringify(list);
}

function read(text: string, locale: string): MessagesFile | null {
  const reporter = createReporter();
  const file = readMessages(createSource("", text), locale, "own", reporter);
  return reporter.failed() ? null : file;
}

function textsOf(file: MessagesFile): Map<string, string> {
  const texts = [...file.lines].flatMap(([key, line]) => [...listLineTexts(key, line)]);
  return new Map(texts.map(({ address, text }) => [formatTextId(address), text]));
}

function isSameMap(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([id, text]) => other.get(id) === text);
}

/** Replaces scalars and appends lines. Null if an edit needs more. */
function spliceTexts(text: string, edits: readonly TextEdit[]): string | null {
  const document = parseDocumentWithin(text);
  const root = document.contents;
  if (root !== null && !(isMap(root) && root.flow !== true)) return null;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const { address, text: replacement, formats } of edits) {
    if (findLineNode(document, address.key) === null) {
      const plain = address.branch.kind === "line" && address.part.kind === "text";
      if (!plain || formats.line !== null) return null;
      added.push(`${address.key}: ${quoteYaml(replacement)}`);
      continue;
    }
    const splice = spliceFor(findText(document, address), replacement, newline);
    if (splice === null) return null;
    splices.push(splice);
  }
  let edited = text;
  for (const { start, end, by } of splices.toSorted((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + by + edited.slice(end);
  }
  const gap = added.length === 0 || edited === "" || edited.endsWith("\n") ? "" : newline;
  return edited + gap + added.map((entry) => entry + newline).join("");
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

function spliceFor(node: Scalar | null, text: string, newline: string): Splice | null {
  const range = node?.range;
  if (range === null || range === undefined) return null;
  // A block scalar's range includes its last line break.
  const block = node?.type === Scalar.BLOCK_LITERAL || node?.type === Scalar.BLOCK_FOLDED;
  return { start: range[0], end: range[1], by: quoteYaml(text) + (block ? newline : "") };
}

/** Edits the document's nodes and writes all of it, which normalizes indents and blank lines. */
function rewriteTexts(text: string, edits: readonly TextEdit[]): string | null {
  const document = parseDocumentWithin(text);
  for (const edit of edits) if (!setText(document, edit)) return null;
  return writeDocument(document, text);
}

/** Writes a document with the line endings of `before`. Null if an alias has lost its anchor. */
function writeDocument(document: Document, before: string): string | null {
  try {
    const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: 1_048_576 });
    return before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
  } catch {
    return null;
  }
}
