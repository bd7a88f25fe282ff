import { MAX_ROWS, nameColumn, parseRecords } from "../../../config/translation/csv.ts";
import { readCell } from "../../../config/translation/spreadsheet-cell.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import { createSource, positionAt, type Source, START, type Span } from "../../../yaml/source.ts";
import { decodeText } from "./decode-text.ts";
import {
  type Imported,
  type ImportedContent,
  type ImportFile,
  shorten,
} from "./imported/imported.ts";
import type { Omission } from "./imported/omissions.ts";
import { readSheetHeader, type SheetColumn } from "./sheet-columns.ts";
import { readSheetHead, type SheetHead, withoutAbove } from "./sheet-head.ts";
import { SheetContents, type SheetRow } from "./sheet-contents.ts";

/**
 * Reads sheets of questions and answers: CSV with a header, a row for each question.
 *
 * @param language the language of the command, which tells the code page of an old file
 */
export function readSheets(
  files: readonly ImportFile[],
  reporter: Reporter,
  language: string | null = null,
): Imported {
  const left: Omission[] = [];
  const contents = files.flatMap((file) => readSheet(file, language, reporter, left));
  return { contents, synonyms: new Map(), left };
}

function readSheet(
  { name, bytes }: ImportFile,
  language: string | null,
  reporter: Reporter,
  left: Omission[],
): readonly ImportedContent[] {
  const { text, guessed } = decodeText(bytes, language);
  const head = readSheetHead(text);
  const source = createSource(name, withoutAbove(text, head));
  if (guessed !== null) {
    const message = `this is not UTF-8: it was read as ${guessed}`;
    const hint = "Look at the accents below. If they are wrong, save it as CSV UTF-8.";
    reporter.note(source, START, "guessed-encoding", message, hint, { encoding: guessed });
  }
  const [header, ...records] = parseRecords(source, reporter, MAX_ROWS) ?? [];
  if (header === undefined) {
    if (!reporter.failed()) {
      reporter.error(source, START, "sheet-empty", "the sheet is empty", null, {});
    }
    return [];
  }
  const columns = readSheetHeader(header.cells, head.above.at(-1));
  if (!checkHeader(columns, source, header.span, reporter)) return [];
  const rows = records.flatMap(({ cells, span, row }): SheetRow[] => {
    if (cells.every((cell) => cell.trim() === "")) return [];
    if (cells.slice(columns.length).some((cell) => cell.trim() !== "")) {
      const message = `this row has ${cells.length} cells and the header ${columns.length}; is a text with the separator not in quotes?`;
      const more = cells.findIndex((cell, at) => at >= columns.length && cell.trim() !== "");
      const params = { row, column: nameColumn(more), columns: columns.length };
      reporter.error(source, span, "sheet-cells", message, null, params);
      return [];
    }
    return [rowOf(cells, columns, positionAt(source, span.start).line, span, row)];
  });
  leaveAbove(head, columns, source, left);
  leaveColumns(columns, records, source, left);
  const collected = new SheetContents(source, reporter, left);
  const tags = new Set([null, ...columns.map((column) => column.language)]);
  for (const row of rows) for (const tag of tags) collected.add(row, tag);
  return collected.contents();
}

function rowOf(
  cells: readonly string[],
  columns: readonly SheetColumn[],
  line: number,
  span: Span,
  row: number,
): SheetRow {
  return {
    line,
    span,
    row,
    nameColumn(role, language) {
      const names = columns.map(({ name }) => name);
      const isMeant = (column: SheetColumn): boolean => column.role === role;
      const exact = columns.findIndex((one) => isMeant(one) && one.language === language);
      return nameColumn(Math.max(0, exact === -1 ? columns.findIndex(isMeant) : exact), names);
    },
    cells: (role, language) =>
      columns.flatMap((column, index) => {
        const cell = readCell(cells[index] ?? "").trim();
        return column.role === role && column.language === language && cell !== "" ? [cell] : [];
      }),
  };
}

function checkHeader(
  columns: readonly SheetColumn[],
  source: Source,
  span: Span,
  reporter: Reporter,
): boolean {
  const missing = (["question", "answer"] as const).filter(
    (role) => !columns.some((column) => column.role === role),
  );
  if (missing.length === 0) return true;
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const message = `the first line names no column with ${missing.map((role) => `${role}s`).join(" and ")}: it has ${names.slice(0, 200)}`;
  const hint = "Begin the file with a line that names the columns: question,answer.";
  const params = { columns: "question, answer", names: columns.map(({ name }) => name).join(", ") };
  reporter.error(source, span, "sheet-columns", message, hint, params);
  return false;
}

/** Lists the rows above the names of columns, but for one that names the columns' languages. */
function leaveAbove(
  { above, names }: SheetHead,
  columns: readonly SheetColumn[],
  { file }: Source,
  left: Omission[],
): void {
  const own = readSheetHeader(names);
  const hasLanguages = columns.some(({ language }, at) => language !== own[at]?.language);
  for (const [index, cells] of above.entries()) {
    const text = cells.filter((cell) => cell.trim() !== "").join(" ");
    if (text === "" || (hasLanguages && index === above.length - 1)) continue;
    const row = index + 1;
    left.push({
      file,
      line: row,
      part: null,
      code: "row-above",
      params: { row, text: shorten(text) },
    });
  }
}

/** Lists the columns that no content has, where they hold something. */
function leaveColumns(
  columns: readonly SheetColumn[],
  records: readonly { readonly cells: readonly string[] }[],
  { file }: Source,
  left: Omission[],
): void {
  for (const [index, { role }] of columns.entries()) {
    if (role !== null) continue;
    const count = records.filter(({ cells }) => (cells[index] ?? "").trim() !== "").length;
    if (count === 0) continue;
    const params = {
      column: nameColumn(
        index,
        columns.map((one) => one.name),
      ),
      count,
    };
    left.push({ file, line: 1, part: null, code: "column-unused", params });
  }
}
