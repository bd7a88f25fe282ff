import type { VNode } from "preact";
import { html } from "htm/preact";
import { formatNumber } from "./format.ts";
import { addStyleSheet } from "./style-sheet.ts";

/** A column of a table of figures. */
export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => VNode | string | number;
  /** True for what stands at the end of its cell, as numbers do. */
  readonly number?: boolean;
  /** The length of a bar before the number, from 0 to 1; null if there is none. */
  readonly bar?: (row: Row) => number | null;
}

interface FiguresTableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** In which the page speaks. */
  readonly language: string;
  readonly title?: string | undefined;
  /** The element of the title. Default: `h4`. */
  readonly level?: "h3" | "h4";
  /** Its name for screen readers. */
  readonly label: string;
  /** The definition of the counts. */
  readonly about?: string | undefined;
  /** The words in place of an empty table; undefined if the table has rows. */
  readonly nothing?: string | undefined;
  /** A chart above the table. */
  readonly chart?: VNode | undefined;
  /** Buttons below it. */
  readonly children?: unknown;
}

/** A table of figures with its title, a line on what it counts, and its buttons. */
export function FiguresTable<Row>(given: FiguresTableProps<Row>): VNode {
  const { rows, columns, language, title, label, about = "", nothing, chart, children } = given;
  const { level = "h4" } = given;
  const heading = title !== undefined && html`<${level}>${title}</${level}>`;
  if (nothing !== undefined) {
    return html`<div class="figure-table">
      ${heading}
      <p class="quiet">${nothing}</p>
    </div>`;
  }
  return html`<div class="figure-table">
    ${heading} ${chart}
    <div class="scroll" tabindex="0" role="group" aria-label=${label}>
      <table>
        <thead>
          <tr>
            ${columns.map(
              ({ title: name, number }) =>
                html`<th scope="col" class=${number === true ? "number" : undefined}>${name}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${columns.map((column) => html`<${Cell} ...${{ column, row, language }} />`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${about !== "" && html`<p class="quiet">${about}</p>`} ${children}
  </div>`;
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly language: string;
}

function Cell<Row>({ column, row, language }: CellProps<Row>): VNode {
  const value = column.of(row);
  const part = column.bar?.(row) ?? null;
  return html`<td class=${column.number === true ? "number" : undefined}>
    ${part !== null && html`<${Bar} part=${part} />`}
    <bdi>${typeof value === "number" ? formatNumber(value, language) : value}</bdi>
  </td>`;
}

/** Shows how large a share is; the number stands beside it. */
function Bar({ part }: { readonly part: number }): VNode {
  return html`<svg class="bar-of" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width=${100 * part} height="8" />
  </svg>`;
}

interface ColumnChartProps {
  readonly columns: readonly {
    readonly name: string;
    readonly height: number;
    /** The part of it in another colour, at its foot. */
    readonly alarm?: number;
  }[];
  /** The distance between columns whose names stand below the chart. */
  readonly every: number;
}

/** Columns from the first to the last time. A table beside it has the same data. */
export function ColumnChart({ columns, every }: ColumnChartProps): VNode {
  const most = Math.max(1, ...columns.map(({ height }) => height));
  const scale = 58 / most;
  const width = columns.length > 60 ? 10 : 8;
  const grid = `grid-template-columns: repeat(${columns.length}, minmax(0, 1fr))`;
  return html`<div class="column-chart" aria-hidden="true">
    <svg viewBox=${`0 0 ${columns.length * 10} 60`} preserveAspectRatio="none">
      ${columns.map(({ height, alarm = 0 }, at) => {
        const x = at * 10 + (10 - width) / 2;
        return html`<rect x=${x} y=${60 - height * scale} width=${width} height=${height * scale} />
          ${alarm > 0 && html`<rect class="alarm" x=${x} y=${60 - alarm * scale} width=${width} height=${alarm * scale} />`}`;
      })}
    </svg>
    <p style=${grid}>
      ${columns.map(({ name }, at) => {
        if (at % every > 0) return null;
        const end = Math.min(at + every, columns.length) + 1;
        return html`<span style=${`grid-column: ${at + 1} / ${end}`}>${name}</span>`;
      })}
    </p>
  </div>`;
}

// The sheet is loaded with a view that has figures; others do without it.
await addStyleSheet(new URL("./figures.css", import.meta.url));
