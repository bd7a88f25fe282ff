import type { Terminal } from "../command.ts";
import type { ReportRow } from "./report-rows.ts";
import { cut, lengthOf, padded, printable } from "./table.ts";

/**
 * Counts as bars, no wider than the terminal; in colour only where a terminal shows it and nobody
 * set NO_COLOR.
 */
export function chartOf(
  heading: string,
  rows: readonly ReportRow[],
  terminal: Pick<Terminal, "interactive" | "columns" | "env">,
): string {
  const coloured = terminal.interactive && (terminal.env["NO_COLOR"] ?? "") === "";
  const labels = [heading, ...rows.map(({ label }) => printable(label))];
  const widest = Math.max(...labels.map(lengthOf));
  const all = [columns.map(([name]) => name), ...rows.map(cellsOf)];
  const widths = columns.map((_, at) => Math.max(...all.map((cells) => cells[at]?.length ?? 0)));
  // A narrow terminal gets fewer figures: the last are the first to go.
  const room = terminal.columns - Math.min(widest, leastLabel) - gap.length - leastBar;
  const shown = widths.filter((_, at) => at === 0 || taken(widths.slice(0, at + 1)) <= room).length;
  const figures = all.map((cells) => cells.slice(0, shown));
  const left = terminal.columns - taken(widths.slice(0, shown)) - gap.length;
  const label = Math.max(Math.min(widest, left - leastBar), 1);
  const bar = Math.max(Math.min(left - label, mostBar), leastBar);
  const most = Math.max(1, ...rows.map(({ events }) => events));
  const lines = figures.map((cells, at) => {
    const row = rows[at - 1];
    const drawn = row === undefined ? "" : barOf((row.events / most) * bar);
    const right = cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(gap);
    const painted = coloured && drawn !== "" ? `\u001B[36m${drawn}\u001B[0m` : drawn;
    const blank = " ".repeat(bar - drawn.length);
    return `${padded(cut(labels[at] ?? "", label), label)}${gap}${painted}${blank}${gap}${right}`;
  });
  return `${lines.join("\n")}\n`;
}

const gap = "  ";
const leastBar = 8;
const leastLabel = 12;
const mostBar = 60;

const columns: readonly (readonly [string, (row: ReportRow) => number])[] = [
  ["EVENTS", ({ events }) => events],
  ["SESSIONS", ({ sessions }) => sessions],
  ["CLICKS", ({ clicks }) => clicks],
  ["GOOD", ({ positive }) => positive],
  ["BAD", ({ negative }) => negative],
];

function taken(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + gap.length, 0);
}

function cellsOf(row: ReportRow): readonly string[] {
  return columns.map(([, read]) => String(read(row)));
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** In eighths of a character; what is there at all is seen. */
function barOf(length: number): string {
  const parts = length > 0 ? Math.max(1, Math.round(length * 8)) : 0;
  return "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
}
