import type { VNode } from "preact";
import { html } from "htm/preact";
import type { FigureGroup, FigureRows, Figures } from "../../../../api/chat/answers-figures.ts";
import type { FigureTable } from "../../../../api/chat/schema-figures.ts";
import { explain } from "../../context.ts";
import { useView } from "../context.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { ColumnChart, type Column as FigureColumn, FiguresTable } from "../../../shared/figures.ts";
import { saveFile } from "../../../shared/save-file.ts";
import { addStyleSheet } from "../../../shared/style-sheet.ts";
import { listOf } from "../../../shared/words.ts";

/** A column of a table of figures. */
export interface Column<Row> extends Omit<FigureColumn<Row>, "bar"> {
  /** True if a bar compares the count of each row with the largest. */
  readonly bar?: boolean;
}

interface TableProps {
  readonly of: Figures;
  readonly columns: readonly Column<FigureRows[FigureTable]>[];
  /** The query of these figures, which their file needs too. */
  readonly query: string;
  readonly title?: string;
  /** Its name for screen readers. */
  readonly label: string;
  /** The definition of the counts. */
  readonly about?: string;
  /** The words in place of a table without rows. */
  readonly nothing?: string;
  /** True if a chart of the hours stands above the table. */
  readonly chart?: boolean;
}

/** A table of figures with its file. */
export function Table(given: TableProps): VNode {
  const { of, query, columns, title, label, about, nothing, chart } = given;
  const { language } = useView();
  const { table, rows } = of;
  const isEmpty = rows.every((row) => "count" in row && row.count === 0);
  const most = Math.max(1, ...rows.map(countOf));
  const withBars = columns.map(({ bar, ...column }) =>
    bar === true
      ? { ...column, bar: (row: FigureRows[FigureTable]) => countOf(row) / most }
      : column,
  );
  return html`<${FiguresTable}
    rows=${rows}
    columns=${withBars}
    language=${language}
    title=${title}
    label=${label}
    about=${about}
    nothing=${isEmpty ? nothing : undefined}
    chart=${chart === true && html`<${Hours} rows=${rows} />`}
  >
    <${Download} table=${table} query=${query} label=${label} />
  <//>`;
}

function countOf(row: FigureRows[FigureTable]): number {
  return "count" in row ? row.count : 0;
}

/** How many began in each hour of the day. */
function Hours({ rows }: { readonly rows: readonly FigureGroup[] }): VNode {
  const { language } = useView();
  return html`<${ColumnChart}
    columns=${rows.map(({ count }, hour) => ({ name: formatHour(hour, language), height: count }))}
    every=${6}
  />`;
}

interface DownloadProps extends Pick<TableProps, "query" | "label"> {
  readonly table: FigureTable;
}

/** A button that fetches the table's file. */
function Download({ table, query, label }: DownloadProps): VNode {
  const { acts, words } = useView();
  const { busy, problem, attempt } = useAttempt((error) => explain(error, words));
  const save = async (): Promise<void> => {
    const address = `figures/${table}?${query}&format=csv`;
    saveFile(`${table}.csv`, URL.createObjectURL(await acts.download(address)));
  };
  return html`<div class="buttons">
    <button
      type="button"
      disabled=${busy}
      aria-label=${`${words.downloadCsv}: ${label}`}
      onClick=${() => void attempt(save)}
    >
      ${words.downloadCsv}
    </button>
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
  </div>`;
}

/** An hour of the day, such as `3 PM` or `15`. */
export function formatHour(hour: number, language: string): string {
  const format = new Intl.DateTimeFormat(language, { hour: "numeric", timeZone: "UTC" });
  return format.format(Date.UTC(2026, 0, 1, hour));
}

/** How long something took, in its two largest units: `2 hr, 5 min`. */
export function formatDuration(seconds: number | null, language: string): string {
  if (seconds === null) return "–";
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  const at = first === -1 ? UNITS.length - 1 : first;
  const parts = UNITS.slice(at, at + 2).map(([unit, length], index) => {
    const amount = Math.floor((index === 0 ? seconds : seconds % (UNITS[at]?.[1] ?? 1)) / length);
    const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" });
    return { amount, text: format.format(amount) };
  });
  const shown = parts.filter(({ amount }, index) => index === 0 || amount > 0);
  return listOf(
    shown.map(({ text }) => text),
    language,
    "unit",
  );
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

// Only this view needs the style sheet, so it is loaded with it.
await addStyleSheet(new URL("../../figures.css", import.meta.url));
