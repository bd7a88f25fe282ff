import { memberOf } from "../../api/call/read.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { describeUnknownKey } from "../../config/schema/values.ts";
import { createSource, type Source, type Span, START } from "../../yaml/source.ts";
import type { YamlFile } from "../../yaml/yaml.ts";
import { parseJsonSource } from "../../backend/content/import/read-json.ts";
import { createRowFile } from "../../backend/content/rows.ts";
import type { ReadProgress } from "./csv-contents.ts";
import type { ImportedFile } from "./imported.ts";
import type { TextChunk } from "./read-chunks.ts";

/**
 * Reads the contents of a JSON file: an array, or an object like a content file. Reports mistakes.
 */
export async function readJsonContents(
  file: string,
  chunks: AsyncIterable<TextChunk>,
  reporter: Reporter,
  progress: ReadProgress,
): Promise<ImportedFile> {
  const empty: ImportedFile = { rows: [], parts: null, language: null };
  const texts: string[] = [];
  for await (const chunk of chunks) {
    texts.push(chunk.text);
    progress(chunk, 0);
  }
  if (reporter.failed()) return empty;
  const source = createSource(file, texts.join(""));
  const value = parseJsonSource(source, reporter);
  if (value === undefined) return empty;
  if (isDiagram(value)) {
    const message =
      "this is a diagram of a dialog editor (GoJS), which has no questions with answers";
    const hint = "Write its questions as titles, and its choices as options: docs/content.md.";
    reporter.error(source, START, "invalid-value", message, hint);
    return empty;
  }
  if (Array.isArray(value)) {
    return { ...empty, rows: rowsOf(value, source, () => locateJsonElements(source.text, null)) };
  }
  if (typeof value !== "object" || value === null) {
    const message = "an array of contents is needed here, or an object with contents:";
    reporter.error(source, START, "invalid-value", message);
    return empty;
  }
  const keys = Object.keys(value);
  if (keys.length > 0 && !keys.some((key) => key === "appData" || KEYS.includes(key))) {
    const message =
      "this is neither contents in Afterword's own form nor another bot's known format";
    const hint = "Name its format with --from, or copy its questions and answers into a sheet.";
    reporter.error(source, START, "invalid-value", message, hint);
    return empty;
  }
  return readContentObject(new Map(Object.entries(value)), source, reporter);
}

function readContentObject(
  keys: ReadonlyMap<string, unknown>,
  source: Source,
  reporter: Reporter,
): ImportedFile {
  const { contents = [], appData, language, ...parts } = Object.fromEntries(keys);
  const keyAt = (key: string): Span => locateJsonKey(source.text, key);
  if (appData !== undefined) {
    const message =
      "app data is not stored in a database: keep it in a file of the content directory";
    reporter.error(source, keyAt("appData"), "invalid-value", message);
  }
  for (const key of Object.keys(parts)) {
    if (PARTS.includes(key)) continue;
    reporter.error(source, keyAt(key), "unknown-key", describeUnknownKey(key, KEYS));
    delete parts[key];
  }
  if (!Array.isArray(contents)) {
    reporter.error(source, keyAt("contents"), "invalid-value", "a list is needed here");
  }
  const list: readonly unknown[] = Array.isArray(contents) ? contents : [];
  return {
    rows: rowsOf(list, source, () => locateJsonElements(source.text, "contents")),
    parts: Object.keys(parts).length === 0 ? null : createPartsFile(parts, source, keyAt),
    language:
      typeof language === "string"
        ? {
            tag: language,
            source,
            // Only a message needs the span, and finding it reads the whole text.
            get span() {
              return keyAt("language");
            },
          }
        : null,
  };
}

function isDiagram(value: unknown): boolean {
  return ["nodeDataArray", "linkDataArray"].every((key) => memberOf(value, key) !== null);
}

const PARTS: readonly string[] = ["categories", "customized", "synonyms"];
const KEYS: readonly string[] = ["language", "contents", ...PARTS];

/**
 * Makes a file of the parts beside the contents. It locates a mistake by its key alone, so that the
 * contents are not parsed again.
 */
function createPartsFile(
  value: Readonly<Record<string, unknown>>,
  source: Source,
  keyAt: (key: string) => Span,
): YamlFile {
  return {
    source,
    value,
    locate: ([key]) => (key === undefined ? START : keyAt(String(key))),
    written: () => null,
    findUnquotedNo: () => [],
  };
}

function rowsOf(
  values: readonly unknown[],
  source: Source,
  findSpans: () => readonly Span[],
): readonly YamlFile[] {
  let spans: readonly Span[] | null = null;
  return values.map((value, index) =>
    createRowFile(value, () => {
      spans ??= findSpans();
      return createElementSource(source, spans[index] ?? START);
    }),
  );
}

/** One element alone, at the line and column that it has in the file. */
function createElementSource({ file, text, lines }: Source, { start, end }: Span): Source {
  let line = 0;
  while ((lines[line + 1] ?? Infinity) <= start) line += 1;
  const before = "\n".repeat(line) + " ".repeat(start - (lines[line] ?? 0));
  return createSource(file, before + text.slice(start, end));
}

/**
 * Locates the elements of an array in valid JSON: of the text itself, or of its last top-level
 * `key`.
 */
export function locateJsonElements(text: string, key: string | null): readonly Span[] {
  const depthOfElements = key === null ? 1 : 2;
  let found: Span[] = [];
  let depth = 0;
  let start = -1;
  let name: string | null = null;
  const isOurs = (): boolean => depth === depthOfElements && (key === null || name === key);
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? "";
    if (/\s/.test(mark)) continue;
    if (mark === '"') {
      const end = findStringEnd(text, at);
      if (isOurs() && start === -1) start = at;
      if (key !== null && depth === 1 && /^\s*:/.test(text.slice(end, end + 100))) {
        name = String(JSON.parse(text.slice(at, end)));
        if (name === key) found = [];
      }
      at = end - 1;
    } else if (mark === "[" || mark === "{") {
      if (isOurs() && start === -1) start = at;
      depth += 1;
    } else if (mark === "]" || mark === "}" || mark === ",") {
      if (isOurs() && start !== -1) {
        found.push({ start, end: at });
        start = -1;
      }
      if (mark !== ",") depth -= 1;
    } else if (isOurs() && start === -1) start = at;
  }
  return found;
}

/** Locates a key of the top-level object, the last one of several; else the text's start. */
function locateJsonKey(text: string, key: string): Span {
  let found: Span = { start: 0, end: 1 };
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? "";
    if (mark === '"') {
      const end = findStringEnd(text, at);
      const isKey = depth === 1 && /^\s*:/.test(text.slice(end, end + 100));
      if (isKey && JSON.parse(text.slice(at, end)) === key) found = { start: at, end };
      at = end - 1;
    } else if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
  }
  return found;
}

/** The offset behind the quote that closes the string at `start`. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
