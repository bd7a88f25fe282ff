import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import type { Reporter } from "../../config/diagnostic.ts";
import { createSource, type Source, type Span, START } from "../../config/source.ts";
import type { YamlFile } from "../../config/yaml.ts";
import { readCell } from "../messages/spreadsheet-cell.ts";
import { type Column, columnOf } from "./csv-columns.ts";
import { checkHeader } from "./csv-header.ts";
import { csvPlaces, type RecordPlaces } from "./csv-places.ts";
import { openCsvStream } from "./csv-stream.ts";
import type { ImportedFile } from "./imported.ts";
import type { TextChunk } from "./read-chunks.ts";

/** Told how far a file has been read: bytes, and contents found so far. */
export type ReadProgress = (chunk: Omit<TextChunk, "text">, contents: number) => void;

/**
 * The contents of a CSV file (RFC 4180), whichever of comma, semicolon and tab separates its cells.
 * The first record names the columns. What is wrong is reported.
 */
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
      reporter.error(all().source, { start, end: start + 1 }, "invalid-value", message);
    });
  }
  // What could not be read to its end has been reported.
  if (columns === null && reporter.failed()) return nothing;
  checkHeader(columns, (cell, message) =>
    reporter.error(all().source, spanOf(0, cell), "unknown-key", message),
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
