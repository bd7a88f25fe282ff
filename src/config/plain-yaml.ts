import {
  type Cursor,
  nested,
  PLAIN,
  type Read,
  readInline,
  readKey,
  SPACE,
  skip,
} from "./plain-values.ts";

/**
 * Reads the YAML that most files are written in: mappings, lists, comments, and values on one line.
 * Null for everything else (tags, anchors, block scalars, texts of several lines, tabs, most
 * numbers, every mistake), which is for the whole parser. What is read here the whole parser reads
 * without an error and to the same value; a test holds the two together. It takes a tenth of the
 * time, which ten thousand owners' files make seconds of.
 *
 * @example
 * readPlainYaml("# ours\nwelcome: Hello\n"); // { welcome: "Hello" }
 * readPlainYaml("welcome: |\n  Hello\n"); // null
 */
export function readPlainYaml(written: string): Readonly<Record<string, unknown>> | null {
  const text = written.includes("\r") ? written.replaceAll("\r\n", "\n") : written;
  if (UNUSUAL.test(text)) return null;
  const cursor: Cursor = { text, at: 0, indent: 0 };
  nextLine(cursor);
  if (cursor.indent !== 0) return null;
  const value = readMapping(cursor, 0, 0);
  return value === undefined || cursor.indent !== END ? null : value;
}

/** Characters that some reader of lines or blanks may take for one. */
// oxlint-disable-next-line no-control-regex
const UNUSUAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

const END: number = -1;
const NEWLINE = 10;
const HASH = 35;
const DASH = 45;

const KEY = /([A-Za-z_][\w.-]{0,99}):(?: +|$|(?=\n))/y;
const ITEM = /-(?: +|$|(?=\n))/y;
const LINE_END = / *(?:(?<= )#[^\n]*)?(?:\n|$)/y;

/** Goes from the start of a line to the content of the first line that has any. */
function nextLine(cursor: Cursor): void {
  const { text } = cursor;
  for (let start = cursor.at; ;) {
    let at = start;
    while (text.charCodeAt(at) === SPACE) at++;
    const first = text.charCodeAt(at);
    if (first === NEWLINE) start = at + 1;
    else if (first === HASH && text.includes("\n", at)) start = text.indexOf("\n", at) + 1;
    else {
      const ended = first === HASH || at === text.length;
      cursor.at = at;
      cursor.indent = ended ? END : at - start;
      return;
    }
  }
}

function readMapping(cursor: Cursor, indent: number, depth: number): Read<Record<string, unknown>> {
  const mapping: Record<string, unknown> = {};
  do {
    const key = readKey(cursor, KEY, mapping);
    const value = key === undefined ? undefined : readBlockValue(cursor, indent, indent, depth);
    if (key === undefined || value === undefined) return undefined;
    mapping[key] = value;
  } while (cursor.indent === indent);
  return cursor.indent > indent ? undefined : mapping;
}

function readList(cursor: Cursor, indent: number, depth: number): Read<unknown[]> {
  const list: unknown[] = [];
  do {
    const before = cursor.at;
    if (!skip(cursor, ITEM)) return undefined;
    KEY.lastIndex = cursor.at;
    const column = indent + cursor.at - before;
    const value = KEY.test(cursor.text)
      ? nested(depth) && readMapping(cursor, column, depth + 1)
      : readBlockValue(cursor, indent, indent + 1, depth);
    if (value === undefined) return undefined;
    list.push(value);
  } while (cursor.indent === indent && cursor.text.charCodeAt(cursor.at) === DASH);
  return cursor.indent > indent ? undefined : list;
}

/**
 * The value behind a key or a dash: on its line, or in the lines below.
 *
 * @param listIndent from here on a list below is the value: a key's list may stand as far left as
 *   the key
 */
function readBlockValue(
  cursor: Cursor,
  indent: number,
  listIndent: number,
  depth: number,
): unknown {
  if (!skip(cursor, LINE_END)) {
    const value = readInline(cursor, PLAIN, depth);
    if (value === undefined || !skip(cursor, LINE_END)) return undefined;
    nextLine(cursor);
    return value;
  }
  nextLine(cursor);
  const below = cursor.indent;
  ITEM.lastIndex = cursor.at;
  if (below >= listIndent && ITEM.test(cursor.text)) {
    return nested(depth) && readList(cursor, below, depth + 1);
  }
  return below > indent ? nested(depth) && readMapping(cursor, below, depth + 1) : null;
}
