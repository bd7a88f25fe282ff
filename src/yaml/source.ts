/** A text file as it was read, with the data to name a position in it. */
export interface Source {
  readonly file: string;
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly lines: readonly number[];
}

/** A range of offsets into `Source.text`; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The position of a finding that concerns the whole file. */
export const START: Span = { start: 0, end: 0 };

/** Wraps a text to name positions in it. */
export function createSource(file: string, text: string): Source {
  const lines = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.push(at + 1);
  return { file, text, lines };
}

/** Converts an offset to a line and a column, both counted from 1. */
export function positionAt(source: Source, offset: number): { line: number; column: number } {
  let low = 0;
  let high = source.lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((source.lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (source.lines[low] ?? 0) + 1 };
}

/**
 * Shows the line of a span between its neighbours, with a marker under the span. Returns an empty
 * text for an empty file.
 *
 * @example
 * createCodeFrame(createSource("a.yaml", "version: 1\nlisten: here\n"), { start: 19, end: 23 });
 * //   1 | version: 1
 * // > 2 | listen: here
 * //     |         ^^^^
 */
export function createCodeFrame(source: Source, span: Span): string {
  if (source.text.trim() === "") return "";
  const { line, column } = positionAt(source, span.start);
  const first = Math.max(1, line - 1);
  const last = Math.min(source.lines.length, line + 1);
  const width = String(last).length;
  // Long lines are cut around the marker, so that a megabyte on one line stays readable.
  const from = Math.max(0, column - 60);
  const rows: string[] = [];
  for (let number = first; number <= last; number++) {
    const shown = toPrintable(readLine(source, number), readLine(source, number - 1)).slice(
      from,
      from + 100,
    );
    if (number !== line && shown.trim() === "") continue;
    rows.push(
      `${number === line ? ">" : " "} ${String(number).padStart(width)} | ${shown}`.trimEnd(),
    );
    if (number === line) {
      const room = Math.max(1, shown.length - (column - 1 - from));
      const length = Math.min(Math.max(1, span.end - span.start), room);
      const indent = " ".repeat(column - 1 - from);
      rows.push(`  ${" ".repeat(width)} | ${indent}${"^".repeat(length)}`);
    }
  }
  return rows.join("\n");
}

function readLine(source: Source, line: number): string {
  if (line < 1) return "";
  const start = source.lines[line - 1] ?? 0;
  return source.text.slice(start, source.lines[line] ?? source.text.length).replace(/\r?\n$/, "");
}

/** Keys with secret values. Frames show a `*` for each character, so that the marker stays in place. */
const SECRET =
  /((?:secret|password|token|key)["']?\s*:\s*)("(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|(?!\$\{)[^\s,{}"'][^,}]*)/gi;
/** The same outside of braces, where a comma does not end the value. */
const SECRET_LINE = /^([^{]*(?:secret|password|token|key)["']?\s*:\s*)(?!\$\{)([^\s{].*)$/i;
/** A secret on the lines below its key. */
const SECRET_BELOW = /(?:secret|password|token|key)["']?\s*:\s*(?:[|>][-+\d]*\s*|[-+\d]+\s*)?$/i;
/** The password in an address, up to the last @ of the word. One slash is enough, for mistyped ones. */
const CREDENTIALS = /(:\/{1,2}[^\s/@:]{0,100}:)(\S{1,200})(@)/g;
/** Control characters would command the terminal; bidi controls would reorder text. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

function toPrintable(text: string, above: string): string {
  if (SECRET_BELOW.test(above)) return hideText(text);
  const hide = (_: string, before: string, value: string, after: unknown): string =>
    before + hideText(value) + (typeof after === "string" && after === "@" ? after : "");
  return text
    .replace(UNPRINTABLE, " ")
    .replace(SECRET_LINE, hide)
    .replace(SECRET, hide)
    .replace(CREDENTIALS, hide);
}

function hideText(text: string): string {
  return text.replace(/\S/g, "*");
}

/** Environment variables by name, which a file may refer to. */
export type Environment = Readonly<Record<string, string | undefined>>;
