import { CsvError, parse } from "csv-parse/sync";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { type Source, type Span, START } from "../../yaml/source.ts";
import { describeAddress } from "./describe.ts";
import type { LanguageUnits, TranslatedRow } from "./row.ts";
import { readCell, writeCsv } from "./spreadsheet-cell.ts";

const COLUMNS = ["locale", "key", "origin", "source", "target", "comment"] as const;
type Column = (typeof COLUMNS)[number];

/** Units as CSV (RFC 4180): cells with text quoted, CRLF, a header first. */
export function toCsv(languages: readonly LanguageUnits[], bom: boolean): string {
  const rows = languages.flatMap(({ locale, units }) =>
    units.map(({ id, address, source, target, origin }) => {
      const cells: Readonly<Record<Column, string>> = {
        locale,
        key: id,
        origin: origin ?? "",
        source: source ?? "",
        target: target ?? "",
        comment: describeAddress(address),
      };
      return COLUMNS.map((column) => cells[column]);
    }),
  );
  return writeCsv([COLUMNS, ...rows], { bom });
}

/** Rows of CSV by comma, semicolon, tab or `|`; reports mistakes, null when it reads nothing. */
export function readCsv(source: Source, reporter: Reporter): readonly TranslatedRow[] | null {
  const [header, ...rest] = parseRecords(source, reporter, MAX_ROWS) ?? [];
  if (header === undefined) {
    if (!reporter.failed())
      reporter.error(source, START, "sheet-empty", "the sheet is empty", null, {});
    return null;
  }
  const names = header.cells.map((name) => name.trim().toLowerCase());
  const findColumn = (column: Column): number => names.indexOf(column);
  const missing = (["locale", "key", "target"] as const).filter(
    (column) => findColumn(column) === -1,
  );
  if (missing.length > 0) {
    const message = `the header names no column ${missing.join(", ")}; it must name locale, key and target`;
    const params = { columns: "locale, key, target", names: header.cells.join(", ") };
    reporter.error(source, header.span, "sheet-columns", message, null, params);
    return null;
  }
  return rest.flatMap(({ cells, span, row }): TranslatedRow[] => {
    if (cells.every((cell) => cell === "")) return [];
    if (cells.slice(names.length).some((cell) => cell !== "")) {
      const message = `this row has ${cells.length} cells and the header ${names.length}; is a text with a comma not in quotes?`;
      const more = cells.findIndex((cell, at) => at >= names.length && cell !== "");
      const params = { row, column: nameColumn(more), columns: names.length };
      reporter.error(source, span, "sheet-cells", message, null, params);
      return [];
    }
    // Some programs omit empty cells at the end of a row.
    const readColumn = (column: Column): string => readCell(cells[findColumn(column)] ?? "");
    const original = findColumn("source") === -1 ? null : readColumn("source");
    const translated = readColumn("target");
    // There was no text when the file was made, and no translation was added.
    const untouched =
      translated === "" && findColumn("origin") !== -1 && readColumn("origin") === "";
    const isUnfinished = UNFINISHED.some(({ name, mark }) =>
      mark.test((cells[names.indexOf(name)] ?? "").trim()),
    );
    const target = untouched || isUnfinished ? null : translated;
    const id = readColumn("key");
    return [{ locale: readColumn("locale"), exported: null, id, source: original, target, span }];
  });
}

/** Columns in which platforms mark texts that are copies of their sources, or proposals. */
const UNFINISHED: readonly { readonly name: string; readonly mark: RegExp }[] = [
  {
    name: "state",
    mark: /^(?:new|initial|fuzzy|untranslated|not[ _-]translated|needs[ _-](?:translation|work|editing))$/i,
  },
  { name: "fuzzy", mark: /^(?:true|yes|1|fuzzy)$/i },
];

interface CsvRecord {
  readonly cells: readonly string[];
  readonly span: Span;
  /** The row number of a spreadsheet: counted from 1, with empty rows, one per record. */
  readonly row: number;
}

/**
 * Finds the delimiter of a CSV text by its first line: the most frequent candidate of the header. If
 * `isNamed`, the line is not the header but names the delimiter, as Excel does with `sep=;`.
 */
export function readDelimiter(first: string): {
  readonly delimiter: string;
  readonly isNamed: boolean;
} {
  const named = /^\uFEFF?"?sep=([^"\r\n])"?\r?$/iu.exec(first)?.[1];
  if (named !== undefined) return { delimiter: named, isNamed: true };
  const marks = [",", ";", "\t", "|"].map((mark) => [mark, first.split(mark).length] as const);
  const [delimiter] = marks.reduce((best, one) => (one[1] > best[1] ? one : best));
  return { delimiter, isNamed: false };
}

/** Suggests a remedy for quotes escaped with a backslash, as databases write them. */
export function quoteHint(text: string): string | undefined {
  return text.includes('\\"')
    ? 'A quote within quotes is written \\" in this file; CSV (RFC 4180) writes it twice: "".'
    : undefined;
}

/** The most rows of one file. A row takes up to two hundred times the memory of its text. */
export const MAX_ROWS = 20_000;

/**
 * Records of CSV by comma, semicolon, tab or `|`; reports mistakes, null when it reads nothing.
 *
 * @param most the most rows below the header. Default: as many as there are
 */
export function parseRecords(
  source: Source,
  reporter: Reporter,
  most: number = Infinity,
): readonly CsvRecord[] | null {
  const found: CsvRecord[] = [];
  // The first line that is not blank is the header, which has no quoted line break.
  const [first = ""] = source.text.replace(/^[\r\n]+/, "").split(/\r?\n/, 1);
  const { delimiter, isNamed } = readDelimiter(first);
  let line = 1;
  // Spreadsheets do not show the line that names the delimiter.
  let row = isNamed ? -1 : 0;
  try {
    parse(source.text, {
      delimiter,
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(record: unknown, { lines }) {
        skipBlankLines();
        row += 1;
        found.push({ cells: cellsOf(record), span: spanOfLine(source, line), row });
        line = lines + 1;
        if (found.length > most + (isNamed ? 2 : 1)) throw new TooManyRows();
        return null;
      },
    });
    return isNamed ? found.slice(1) : found;
  } catch (error) {
    if (error instanceof TooManyRows) {
      const message = `this file has more than ${most} rows, and at most ${most} are read: divide it`;
      reporter.error(source, spanOfLine(source, line - 1), "too-large", message);
      return null;
    }
    if (!(error instanceof CsvError)) throw error;
    skipBlankLines();
    // The parser names the line on which it stopped, often the end of the file.
    const message = `this can't be read as CSV: ${error.message.replace(/ at line \d+$/, "")}`;
    const params = { row: row + 1, column: nameColumn(columnOf(error), found[0]?.cells) };
    const hint = quoteHint(source.text);
    reporter.error(source, spanOfLine(source, line), "csv-quotes", message, hint, params);
    return null;
  }

  /** Blank lines come before the record they are counted with. */
  function skipBlankLines(): void {
    while (/^\r?\n/.test(textFrom(line))) {
      line += 1;
      row += 1;
    }
  }

  function textFrom(number: number): string {
    const start = source.lines[number - 1] ?? source.text.length;
    return source.text.slice(start, start + 2);
  }
}

/** Stops the parser. Its own limit does not distinguish a truncated file from a complete one. */
class TooManyRows extends Error {}

function cellsOf(record: unknown): readonly string[] {
  return Array.isArray(record) ? record.map(String) : [];
}

/** The number of the cell in its row, from 0. */
function columnOf(error: CsvError): number {
  return "column" in error && typeof error["column"] === "number" ? error["column"] : 0;
}

/** Names a column as spreadsheets do, with its heading: `B (Answer)`. */
export function nameColumn(index: number, header: readonly string[] = []): string {
  const first = index < 26 ? "" : String.fromCodePoint(64 + Math.floor(index / 26));
  const letters = first + String.fromCodePoint(65 + (index % 26));
  const heading = (header[index] ?? "").trim().slice(0, 60);
  return heading === "" ? letters : `${letters} (${heading})`;
}

function spanOfLine(source: Source, line: number): Span {
  const start = source.lines[line - 1] ?? source.text.length;
  return { start, end: Math.max(start, (source.lines[line] ?? source.text.length + 1) - 1) };
}
