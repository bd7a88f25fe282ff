import { parseJson } from "../../json/values.ts";
import type { Terminal } from "../command/command.ts";
import type { ReportBy, ReportRow } from "./report-rows.ts";
import type { ReportedEvent } from "./reported-events.ts";
import { tableOf, cut, lengthOf, padText, toPrintable } from "./print-list.ts";
import { writeCsv } from "../../config/translation/spreadsheet-cell.ts";

/** A value for each format. */
type Formats<Write> = Readonly<Record<"text" | "csv" | "json", Write>>;

export interface Grouping {
  readonly by: ReportBy;
  /** Titles of contents by id; null when rows are not contents. */
  readonly titles: ReadonlyMap<string, string> | null;
}

/** The formats of counts in `backend report`. */
export const writeCounts: Formats<
  (rows: readonly ReportRow[], grouping: Grouping, to: Terminal) => string
> = {
  text(rows, { by, titles }, terminal) {
    if (rows.length === 0) return "no events\n";
    const named = rows.map((row) => ({
      ...row,
      label: `${row.label} ${titles?.get(row.label) ?? ""}`.trimEnd(),
    }));
    return chartOf(by.toUpperCase(), named, terminal);
  },
  csv: (rows, { by, titles }) =>
    writeCsv([
      [
        by,
        ...(titles === null ? [] : ["title"]),
        "events",
        "sessions",
        "clicks",
        "positive",
        "negative",
        "other ratings",
      ],
      ...rows.map((row) => [
        row.label,
        ...(titles === null ? [] : [titles.get(row.label) ?? ""]),
        row.events,
        row.sessions,
        row.clicks,
        row.positive,
        row.negative,
        row.others,
      ]),
    ]),
  json: (rows, { by, titles }) => {
    const named = rows.map(({ label, ...row }) => ({
      [by]: label,
      ...(titles !== null && { title: titles.get(label) ?? null }),
      ...row,
    }));
    return `${JSON.stringify({ by, rows: named }, null, 2)}\n`;
  },
};

/** The formats of `backend report --session`. */
export const writeSession: Formats<(events: readonly ReportedEvent[], to: Terminal) => string> = {
  text: (events, terminal) =>
    events.length === 0
      ? ""
      : tableOf(
          ["TIME", "PRODUCT", "TYPE", "CONTENT", "RATING", "DATA"],
          events.map((event) => [
            timeOf(event).slice(0, 19),
            event.product,
            event.type,
            String(event.content ?? "-"),
            event.rating?.value ?? "-",
            event.text ?? event.data,
          ]),
          terminal.columns,
        ),
  csv: (events) =>
    writeCsv([
      ["time", "project", "product", "type", "content", "rating", "text", "data"],
      ...events.map((event) => [
        timeOf(event),
        event.project,
        event.product,
        event.type,
        event.content,
        event.rating?.value ?? null,
        event.text,
        event.data,
      ]),
    ]),
  json: (events) =>
    `${JSON.stringify(
      events.map((event) => ({
        time: timeOf(event),
        project: event.project,
        product: event.product,
        type: event.type,
        content: event.content,
        rating: event.rating?.value ?? null,
        text: event.text,
        data: parseJsonOrNull(event.data),
      })),
      null,
      2,
    )}\n`,
};

function timeOf({ at }: ReportedEvent): string {
  return new Date(at).toISOString();
}

function parseJsonOrNull(json: string): unknown {
  const value = parseJson(json);
  return value === undefined ? json : value;
}

/** Draws counts as bars in the terminal's width; coloured unless NO_COLOR is set. */
export function chartOf(
  heading: string,
  rows: readonly ReportRow[],
  terminal: Pick<Terminal, "interactive" | "columns" | "env">,
): string {
  const coloured = terminal.interactive && (terminal.env["NO_COLOR"] ?? "") === "";
  const labels = [heading, ...rows.map(({ label }) => toPrintable(label))];
  const widest = Math.max(...labels.map(lengthOf));
  const all = [columns.map(([name]) => name), ...rows.map(cellsOf)];
  const widths = columns.map((_, at) => Math.max(...all.map((cells) => cells[at]?.length ?? 0)));
  // A narrow terminal lacks room for the last columns.
  const room = terminal.columns - Math.min(widest, minLabel) - gap.length - minBar;
  const shown = widths.filter(
    (_, at) => at === 0 || widthOf(widths.slice(0, at + 1)) <= room,
  ).length;
  const figures = all.map((cells) => cells.slice(0, shown));
  const left = terminal.columns - widthOf(widths.slice(0, shown)) - gap.length;
  const label = Math.max(Math.min(widest, left - minBar), 1);
  const bar = Math.max(Math.min(left - label, maxBar), minBar);
  const most = Math.max(1, ...rows.map(({ events }) => events));
  const lines = figures.map((cells, at) => {
    const row = rows[at - 1];
    const drawn = row === undefined ? "" : barOf((row.events / most) * bar);
    const right = cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(gap);
    const painted = coloured && drawn !== "" ? `\u001B[36m${drawn}\u001B[0m` : drawn;
    const blank = " ".repeat(bar - drawn.length);
    return `${padText(cut(labels[at] ?? "", label), label)}${gap}${painted}${blank}${gap}${right}`;
  });
  return `${lines.join("\n")}\n`;
}

const gap = "  ";
const minBar = 8;
const minLabel = 12;
const maxBar = 60;

const columns: readonly (readonly [string, (row: ReportRow) => number])[] = [
  ["EVENTS", ({ events }) => events],
  ["SESSIONS", ({ sessions }) => sessions],
  ["CLICKS", ({ clicks }) => clicks],
  ["GOOD", ({ positive }) => positive],
  ["BAD", ({ negative }) => negative],
];

function widthOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + gap.length, 0);
}

function cellsOf(row: ReportRow): readonly string[] {
  return columns.map(([, read]) => String(read(row)));
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Draws a bar in eighths of a character. Every length above zero is visible. */
function barOf(length: number): string {
  const parts = length > 0 ? Math.max(1, Math.round(length * 8)) : 0;
  return "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
}
