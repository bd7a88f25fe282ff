import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { createSource, type Source, type Span, START } from "../../yaml/source.ts";
import type { YamlFile } from "../../yaml/yaml.ts";
import { quoteHint, readDelimiter } from "../../config/translation/csv.ts";
import { readCell } from "../../config/translation/spreadsheet-cell.ts";
import { type Column, columnOf } from "./csv-columns.ts";
import type { ImportedFile } from "./imported.ts";
import type { TextChunk } from "./read-chunks.ts";

/** Called with how far a file has been read: bytes, and contents found so far. */
export type ReadProgress = (chunk: Omit<TextChunk, "text">, contents: number) => void;

/** Contents of a CSV file (RFC 4180; comma, semicolon, tab or `|`) with a header; reports mistakes. */
export async function readCsvContents(
  file: string,
  chunks: AsyncIterable<TextChunk>,
  reporter: Reporter,
  progress: ReadProgress,
): Promise<ImportedFile> {
  const positions = new CsvPositions(file);
  const { rows, columns, reports } = await readRows(chunks, positions, reporter, progress);
  const empty: ImportedFile = { rows: [], parts: null, language: null };
  // A file that could not be read to its end has been reported.
  if (columns === null && reporter.failed()) return empty;
  checkHeader(columns, (cell, message) =>
    reporter.error(
      positions.source(),
      positions.spanOf(positions.header, cell),
      "unknown-key",
      message,
    ),
  );
  const usable = !reporter.failed();
  for (const report of reports) report();
  return usable ? { ...empty, rows } : empty;
}

type Columns = readonly (Column | string)[];

/** Reads the rows as contents. */
async function readRows(
  chunks: AsyncIterable<TextChunk>,
  positions: CsvPositions,
  reporter: Reporter,
  progress: ReadProgress,
): Promise<{
  readonly rows: readonly YamlFile[];
  /** Null if there is no header. */
  readonly columns: Columns | null;
  /** Functions that report the rows' mistakes after those of the header. */
  readonly reports: readonly (() => void)[];
}> {
  const rows: YamlFile[] = [];
  const reports: (() => void)[] = [];
  let columns: Columns | null = null;
  const stream = await openCsvStream(chunks, (chunk) => {
    positions.texts.push(chunk.text);
    progress(chunk, rows.length);
  });
  positions.delimiter = stream.delimiter;
  positions.header = stream.isNamed ? 1 : 0;
  const parser = parse({
    delimiter: stream.delimiter,
    record_delimiter: ["\r\n", "\n"],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  try {
    let index = -1;
    for await (const record of Readable.from(stream.texts).pipe(parser)) {
      const cells = Array.isArray(record) ? record.map(String) : [];
      const number = (index += 1);
      if (number < positions.header) continue;
      if (columns === null) columns = cells.map(columnOf);
      else if (cells.every((cell) => cell.trim() === "")) continue;
      else if (cells.slice(columns.length).every((cell) => cell === "")) {
        rows.push(rowOf(cells, columns, number, positions));
      } else {
        const message = `this row has ${cells.length} cells and the header ${columns.length}; is a text with the separator not in quotes?`;
        reports.push(() => {
          const span = positions.spanOf(number, null);
          reporter.error(positions.source(), span, "invalid-value", message);
        });
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = "lines" in error && typeof error["lines"] === "number" ? error["lines"] : 1;
    const source = positions.source();
    const start = source.lines[line - 1] ?? 0;
    reports.push(() => {
      const message = `this can't be read as CSV: ${error.message}`;
      const hint = quoteHint(source.text);
      reporter.error(source, { start, end: start + 1 }, "invalid-value", message, hint);
    });
  }
  return { rows, columns, reports };
}

/** Locates cells once a mistake is shown, when the whole text has been read. */
class CsvPositions {
  readonly #file: string;
  /** The text that has been read so far, in pieces. */
  readonly texts: string[] = [];
  delimiter = ",";
  /** The number of the record that is the header. */
  header = 0;
  #source: Source | null = null;
  #records: readonly RecordSpans[] | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  source(): Source {
    this.#source ??= createSource(this.#file, this.texts.join(""));
    return this.#source;
  }

  /** @param cell null for the record as a whole */
  spanOf(record: number, cell: number | null): Span {
    this.#records ??= locateCsvRecords(this.source(), this.delimiter);
    const cells = this.#records[record];
    if (cells === undefined) return START;
    const whole = { start: cells[0]?.start ?? 0, end: cells.at(-1)?.end ?? 0 };
    return (cell === null ? null : cells[cell]) ?? whole;
  }
}

function rowOf(
  cells: readonly string[],
  columns: Columns,
  number: number,
  positions: CsvPositions,
): YamlFile {
  return {
    get source() {
      return positions.source();
    },
    value: contentFrom(cells, columns),
    locate: ([key, inner]) => {
      const cell = columns.findIndex(
        (column) =>
          typeof column !== "string" &&
          column.path[0] === key &&
          (column.path.length === 1 || column.path[1] === inner),
      );
      return positions.spanOf(number, cell === -1 ? null : cell);
    },
    written: () => null,
    findUnquotedNo: () => [],
  };
}

function contentFrom(
  cells: readonly string[],
  columns: Columns,
): Readonly<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  const attributes: Record<string, string> = {};
  for (const [index, column] of columns.entries()) {
    const cell = readCell(cells[index] ?? "");
    if (typeof column === "string" || cell.trim() === "") continue;
    const [key = "", name] = column.path;
    if (name === undefined) content[key] = column.read(cell);
    else attributes[name] = cell;
  }
  return Object.keys(attributes).length === 0 ? content : { ...content, attributes };
}

/** Reports a bad or missing (null) header. A null cell stands for the header as a whole. */
function checkHeader(
  columns: Columns | null,
  complain: (cell: number | null, message: string) => void,
): void {
  if (columns === null) {
    complain(null, "the file is empty; its first line must name the columns id, title and answer");
    return;
  }
  const names = columns.map((column) => (typeof column === "string" ? "" : column.path.join(".")));
  for (const [index, column] of columns.entries()) {
    if (typeof column === "string") complain(index, column);
    else if (names.indexOf(names[index] ?? "") !== index) {
      complain(index, `the column ${names[index] ?? ""} appears twice`);
    }
  }
  const missing = ["id", "title", "answer"].filter((name) => !names.includes(name));
  if (missing.length > 0) complain(null, `the header names no column ${missing.join(", ")}`);
}

/** The positions of a record's cells. Blank lines are no records. */
type RecordSpans = readonly Span[];

/** Locates every cell of a CSV text, record by record, for diagnostics alone. */
export function locateCsvRecords({ text }: Source, delimiter: string): readonly RecordSpans[] {
  const records: RecordSpans[] = [];
  let cells: Span[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    at = text[at] === '"' ? findQuotedEnd(text, at) : at;
    while (at < text.length && text[at] !== delimiter && !isBreak(text, at)) at += 1;
    cells.push({ start, end: at });
    if (text[at] === delimiter) {
      at += 1;
      // A delimiter at the very end begins one more cell.
      if (at === text.length) cells.push({ start: at, end: at });
      else continue;
    }
    if (cells.length > 1 || cells.some(({ start: from, end }) => end > from)) records.push(cells);
    cells = [];
    at += text[at] === "\r" ? 2 : 1;
  }
  return records;
}

/** Finds the offset after the closing quote, or the end of a text without one. */
function findQuotedEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] !== '"') return at + 1;
    at += 1;
  }
  return text.length;
}

function isBreak(text: string, at: number): boolean {
  return text[at] === "\n" || (text[at] === "\r" && text[at + 1] === "\n");
}

/** A CSV text whose first line is known before the rest has been read. */
interface CsvStream extends ReturnType<typeof readDelimiter> {
  /** The whole text, the first line included. */
  readonly texts: AsyncIterable<string>;
}

/** Reads the first line, which shows the separator. `seen` is called with every chunk. */
async function openCsvStream(
  chunks: AsyncIterable<TextChunk>,
  seen: (chunk: TextChunk) => void,
): Promise<CsvStream> {
  const texts = textsOf(chunks, seen);
  let beginning = "";
  while (!beginning.includes("\n")) {
    const { value, done } = await texts.next();
    if (done === true) break;
    beginning += value;
  }
  const [first = ""] = beginning.split(/\r?\n/, 1);
  return { ...readDelimiter(first), texts: restartStream(beginning, texts) };
}

async function* textsOf(
  chunks: AsyncIterable<TextChunk>,
  seen: (chunk: TextChunk) => void,
): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    seen(chunk);
    yield chunk.text;
  }
}

async function* restartStream(
  beginning: string,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (beginning !== "") yield beginning;
  yield* rest;
}
