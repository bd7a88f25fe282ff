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

/** Contents of a CSV file (RFC 4180; comma, semicolon or tab) with a header; reports mistakes. */
export async function readCsvContents(
  file: string,
  chunks: AsyncIterable<TextChunk>,
  reporter: Reporter,
  progress: ReadProgress,
): Promise<ImportedFile> {
  const nothing: ImportedFile = { rows: [], parts: null, language: null };
  const rows: YamlFile[] = [];
  const texts: string[] = [];
  let delimiter = ",";
  // Made when the first mistake is shown, and the whole text is here by then.
  let whole: { readonly source: Source; readonly records: readonly RecordPlaces[] } | null = null;
  const all = (): NonNullable<typeof whole> => {
    const source = whole?.source ?? createSource(file, texts.join(""));
    whole ??= { source, records: csvPlaces(source, delimiter) };
    return whole;
  };
  const spanOf = (record: number, cell: number | null): Span => {
    const cells = all().records[record];
    if (cells === undefined) return START;
    return (
      (cell === null ? null : cells[cell]) ?? {
        start: cells[0]?.start ?? 0,
        end: cells.at(-1)?.end ?? 0,
      }
    );
  };

  const stream = await openCsvStream(chunks, (chunk) => {
    texts.push(chunk.text);
    progress(chunk, rows.length);
  });
  delimiter = stream.delimiter;
  /** The record that is the header. */
  const headerIndex = stream.isNamed ? 1 : 0;
  const parser = Readable.from(stream.texts).pipe(
    parse({
      delimiter,
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      skip_empty_lines: true,
    }),
  );
  let columns: readonly (Column | string)[] | null = null;
  const later: (() => void)[] = [];
  try {
    let index = 0;
    for await (const record of parser) {
      const cells = Array.isArray(record) ? record.map(String) : [];
      const number = index;
      index += 1;
      if (number < headerIndex) continue;
      if (columns === null) {
        columns = cells.map(columnOf);
        continue;
      }
      if (cells.every((cell) => cell.trim() === "")) continue;
      if (cells.slice(columns.length).some((cell) => cell !== "")) {
        const message = `this row has ${cells.length} cells and the header ${columns.length}; is a text with the separator not in quotes?`;
        later.push(() =>
          reporter.error(all().source, spanOf(number, null), "invalid-value", message),
        );
        continue;
      }
      const known = columns;
      rows.push({
        get source() {
          return all().source;
        },
        value: contentFrom(cells, known),
        locate: ([key, inner]) => {
          const cell = known.findIndex(
            (column) =>
              typeof column !== "string" &&
              column.path[0] === key &&
              (column.path.length === 1 || column.path[1] === inner),
          );
          return spanOf(number, cell === -1 ? null : cell);
        },
        written: () => null,
        plainNo: () => [],
      });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = "lines" in error && typeof error["lines"] === "number" ? error["lines"] : 1;
    const start = all().source.lines[line - 1] ?? 0;
    later.push(() => {
      const message = `this can't be read as CSV: ${error.message}`;
      const { source } = all();
      const hint = quoteHint(source.text);
      reporter.error(source, { start, end: start + 1 }, "invalid-value", message, hint);
    });
  }
  // What could not be read to its end has been reported.
  if (columns === null && reporter.failed()) return nothing;
  checkHeader(columns, (cell, message) =>
    reporter.error(all().source, spanOf(headerIndex, cell), "unknown-key", message),
  );
  const usable = !reporter.failed();
  for (const report of later) report();
  return usable ? { ...nothing, rows } : nothing;
}

function contentFrom(
  cells: readonly string[],
  columns: readonly (Column | string)[],
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

/** Reports a bad header; `columns` null: there is none. A null cell is the header as a whole. */
function checkHeader(
  columns: readonly (Column | string)[] | null,
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
      complain(index, `the column ${names[index] ?? ""} is there twice`);
    }
  }
  const missing = ["id", "title", "answer"].filter((name) => !names.includes(name));
  if (missing.length > 0) complain(null, `the header names no column ${missing.join(", ")}`);
}

/** Where the cells of a record stand; a record of blank lines is none. */
type RecordPlaces = readonly Span[];

/** Where every cell of a CSV text stands, record by record, for diagnostics alone. */
export function csvPlaces({ text }: Source, delimiter: string): readonly RecordPlaces[] {
  const records: RecordPlaces[] = [];
  let cells: Span[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    at = text[at] === '"' ? quotedEnd(text, at) : at;
    while (at < text.length && text[at] !== delimiter && !isBreak(text, at)) at += 1;
    cells.push({ start, end: at });
    if (text[at] === delimiter) {
      at += 1;
      // Nothing follows the last delimiter, not even a line break: still a cell.
      if (at === text.length) cells.push({ start: at, end: at });
      else continue;
    }
    if (cells.length > 1 || cells.some(({ start: from, end }) => end > from)) records.push(cells);
    cells = [];
    at += text[at] === "\r" ? 2 : 1;
  }
  return records;
}

/** The offset behind the quote that closes the cell; the text's end when none does. */
function quotedEnd(text: string, start: number): number {
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

/** Reads the first line, which tells the separator. `seen` gets every chunk that is read. */
async function openCsvStream(
  chunks: AsyncIterable<TextChunk>,
  seen: (chunk: TextChunk) => void,
): Promise<CsvStream> {
  const texts = textsOf(chunks, seen);
  let begun = "";
  while (!begun.includes("\n")) {
    const { value, done } = await texts.next();
    if (done === true) break;
    begun += value;
  }
  const [first = ""] = begun.split(/\r?\n/, 1);
  return { ...readDelimiter(first), texts: again(begun, texts) };
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

async function* again(begun: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (begun !== "") yield begun;
  yield* rest;
}
