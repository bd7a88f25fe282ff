/** A place in a text. Once something is not plain, nobody reads on, and the place means nothing. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** Column at which the line's content begins; -1 after the last line. */
  indent: number;
}

/** Undefined: it is not plain. No YAML value is that. */
export type Read<Value> = Value | undefined;

/** The value at the cursor; it ends before what follows it. */
export function readInline(cursor: Cursor, plain: RegExp, depth: number): unknown {
  const { text, at } = cursor;
  switch (text[at]) {
    case '"':
      // The same in JSON, which gives a string of its own: a part of the file's text would keep all
      // of that alive.
      return skip(cursor, DOUBLE) ? JSON.parse(text.slice(at, cursor.at)) : undefined;
    case "'":
      if (!skip(cursor, SINGLE)) return undefined;
      return text.slice(at + 1, cursor.at - 1).replaceAll("''", "'");
    case "{":
      return nested(depth) && readFlowMapping(cursor, depth + 1);
    case "[":
      return nested(depth) && readFlowList(cursor, depth + 1);
    default:
      return readScalar(cursor, plain);
  }
}

/** A key that the mapping does not have yet, and what stands between it and its value. */
export function readKey(cursor: Cursor, pattern: RegExp, mapping: object): Read<string> {
  pattern.lastIndex = cursor.at;
  const [whole = "", key = ""] = pattern.exec(cursor.text) ?? [];
  if (key === "" || key === "__proto__" || Object.hasOwn(mapping, key)) return undefined;
  cursor.at += whole.length;
  return key;
}

/** Moves past the pattern, if it is there. */
export function skip(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at;
  if (!pattern.test(cursor.text)) return false;
  cursor.at = pattern.lastIndex;
  return true;
}

/** True for a depth at which there may be one more. */
export function nested(depth: number): true | undefined {
  return depth < MAX_DEPTH ? true : undefined;
}

const MAX_DEPTH = 32;
/** Code of the only blank that plain YAML has. */
export const SPACE = 32;

// The loop of each pattern is unrolled: no text makes it look twice at the same place.
const DOUBLE = /"[^"\\\n]*(?:\\(?:["\\/bfnrt]|u(?![Dd][89A-Fa-f])[\dA-Fa-f]{4})[^"\\\n]*)*"/y;
const SINGLE = /'[^'\n]*(?:''[^'\n]*)*'/y;
/** A text without quotes, outside of braces and brackets. */
export const PLAIN: RegExp = /[\w./(\u00a1-\u167f\u3001-\ud7ff][^\n:#]*(?::(?=[\w/])[^\n:#]*)*/y;
const FLOW_PLAIN = /[\w./(\u00a1-\u167f\u3001-\ud7ff][^\n:#,[\]{}]*(?::(?=[\w/])[^\n:#,[\]{}]*)*/y;
const FLOW_KEY = /([A-Za-z_][\w.-]{0,99}): +/y;
const FLOW_OPEN = /[[{] */y;
const FLOW_NEXT = / *, */y;
const FLOW_MAPPING_END = / *\}/y;
const FLOW_LIST_END = / *\]/y;

function readFlowMapping(cursor: Cursor, depth: number): Read<Record<string, unknown>> {
  const mapping: Record<string, unknown> = {};
  skip(cursor, FLOW_OPEN);
  if (skip(cursor, FLOW_MAPPING_END)) return mapping;
  do {
    const key = readKey(cursor, FLOW_KEY, mapping);
    const value = key === undefined ? undefined : readInline(cursor, FLOW_PLAIN, depth);
    if (key === undefined || value === undefined) return undefined;
    mapping[key] = value;
  } while (skip(cursor, FLOW_NEXT));
  return skip(cursor, FLOW_MAPPING_END) ? mapping : undefined;
}

function readFlowList(cursor: Cursor, depth: number): Read<unknown[]> {
  const list: unknown[] = [];
  skip(cursor, FLOW_OPEN);
  if (skip(cursor, FLOW_LIST_END)) return list;
  do {
    const value = readInline(cursor, FLOW_PLAIN, depth);
    if (value === undefined) return undefined;
    list.push(value);
  } while (skip(cursor, FLOW_NEXT));
  return skip(cursor, FLOW_LIST_END) ? list : undefined;
}

/** Letters that a number may have: what holds another one, and stands behind a digit, is a text. */
const MAYBE_NUMBER = /^[\d.][\da-finox.+-]*$/i;
const INTEGER = /^(?:0|[1-9]\d{0,14})$/;
const NO_NUMBER = /^(?:\d{4}-\d\d-\d\d|\d+(?:ms|[smhd])|\d+\.\d+\.\d+\.\d+)$/;
const WORD = /^(?:true|false|null)$/i;

function readScalar(cursor: Cursor, plain: RegExp): Read<string | number | boolean | null> {
  const { text, at } = cursor;
  if (!skip(cursor, plain)) return undefined;
  while (text.charCodeAt(cursor.at - 1) === SPACE) cursor.at--;
  const written = text.slice(at, cursor.at);
  if (MAYBE_NUMBER.test(written)) {
    if (INTEGER.test(written)) return Number(written);
    return NO_NUMBER.test(written) ? written : undefined;
  }
  if (!WORD.test(written)) return written;
  return WORDS.get(written);
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
