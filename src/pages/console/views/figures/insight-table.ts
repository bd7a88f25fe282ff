import type { VNode } from "preact";
import { html } from "htm/preact";
import { type Column, FiguresTable } from "../../../shared/figures.ts";
import { save, useView } from "../context.ts";

/** A column of a table that can be saved. */
export interface SavedColumn<Row> extends Column<Row> {
  /** The cell in a file. Default: as it is shown. */
  readonly saved?: (row: Row) => string | number;
}

interface InsightTableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly SavedColumn<Row>[];
  readonly title: string;
  readonly about?: string;
  /** The name of its file, without an ending. */
  readonly file: string;
  readonly chart?: VNode;
}

/** A table of figures of a bot, and its file. */
export function InsightTable<Row>(given: InsightTableProps<Row>): VNode {
  const { rows, columns, title, about, file, chart } = given;
  const { words, language } = useView();
  const listRows = (): SheetRows => [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => cellOf(row, column))),
  ];
  return html`<${FiguresTable}
    rows=${rows}
    columns=${columns}
    language=${language}
    title=${title}
    level="h3"
    label=${title}
    about=${about}
    nothing=${rows.length === 0 ? words.noFigures : undefined}
    chart=${chart}
  >
    <${SaveSheet} title=${title} file=${file} listRows=${listRows} />
  <//>`;
}

type SheetRows = readonly (readonly (string | number)[])[];

interface SaveSheetProps {
  /** Names the rows. */
  readonly title: string;
  /** The name of its file, without an ending. */
  readonly file: string;
  /** Gives the rows with their head. */
  readonly listRows: () => SheetRows;
}

/** A button that saves what a view of a bot shows as a sheet. */
export function SaveSheet({ title, file, listRows }: SaveSheetProps): VNode {
  const { words, bot } = useView();
  const saveRows = (): void => save(`${bot}-${file}.csv`, writeCsv(listRows()));
  return html`<div class="buttons">
    <button type="button" aria-label=${`${words.saveCsv}: ${title}`} onClick=${saveRows}>
      ${words.saveCsv}
    </button>
  </div>`;
}

/** Returns a cell's value in a file; empty for a cell that only a page can show. */
function cellOf<Row>(row: Row, { of, saved }: SavedColumn<Row>): string | number {
  const value = saved?.(row) ?? of(row);
  return typeof value === "object" ? "" : value;
}

/** Rows as CSV (RFC 4180): every text is quoted, and none is a formula to a spreadsheet. */
function writeCsv(rows: SheetRows): string {
  // Spreadsheets know by the mark that it is UTF-8.
  return `\uFEFF${rows.map((row) => `${row.map(quote).join(",")}\r\n`).join("")}`;
}

function quote(cell: string | number): string {
  const text = typeof cell === "number" || !formula.test(cell) ? String(cell) : `'${cell}`;
  return `"${text.replaceAll('"', '""')}"`;
}

const formula = /^'*[=+\-@\t\r＝＋－＠]/;
