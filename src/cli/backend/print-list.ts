import type { Terminal } from "../command/command.ts";
import type { TextOrJson } from "../command/arguments.ts";

export interface Listing<Item> {
  /** As JSON shows them. */
  readonly items: readonly Item[];
  /**
   * The line for a person when the list is empty: what is missing, and the command that adds one.
   */
  readonly empty: string;
  readonly heading: readonly string[];
  /** The cells of an item, one below each word of the heading. */
  readonly row: (item: Item) => readonly string[];
}

/** Prints a list as JSON or as a table, or for people the sentence that says that it is empty. */
export function printList<Item>(
  terminal: Terminal,
  format: TextOrJson,
  { items, empty, heading, row }: Listing<Item>,
): void {
  if (format === "json") terminal.out(`${JSON.stringify(items, null, 2)}\n`);
  else if (items.length === 0) terminal.out(`${empty}\n`);
  else terminal.out(tableOf(heading, items.map(row), terminal.columns));
}

/** Formats the day of an ISO time as a cell; `-` for something that has not happened. */
export function dayOf(time: string | null): string {
  return time?.slice(0, 10) ?? "-";
}

/** Formats rows of a label and its value, as credentials are shown. */
export function formatLabelled(rows: readonly (readonly [label: string, value: string])[]): string {
  return rows.map(([label, value]) => `${label.padEnd(12)}${value}\n`).join("");
}

/** Blanks between the columns of a table. */
const gap = "  ";
/** The fewest characters to which a column is narrowed. */
const narrowest = 8;

/**
 * Formats rows as a table with a heading, no wider than the terminal: the widest columns are cut,
 * and their cells end in `…`.
 *
 * @param width characters of the terminal's line
 */
export function tableOf(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const all = [heading, ...rows].map((row) => row.map(toPrintable));
  const natural = heading.map((_, column) =>
    Math.max(...all.map((row) => lengthOf(row[column] ?? ""))),
  );
  const widths = narrowWidths(natural, width - gap.length * (heading.length - 1));
  const lines = all.map((row) =>
    widths
      .map((most, column) => padText(cut(row[column] ?? "", most), most))
      .join(gap)
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

/**
 * Replaces characters that move a terminal's cursor or change the writing direction. The two that
 * join or separate letters stay: Persian words and composed emoji need them.
 */
export function toPrintable(text: string): string {
  return text.replaceAll(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}

/** Cuts a text to this many characters. The last is `…` if something was cut. */
export function cut(text: string, most: number): string {
  const characters = charactersOf(text);
  return characters.length <= most
    ? text
    : `${characters.slice(0, Math.max(0, most - 1)).join("")}…`;
}

export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - lengthOf(text)));
}

export function lengthOf(text: string): number {
  return charactersOf(text).length;
}

function charactersOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const segmenter = new Intl.Segmenter("en");

/** Narrows the widest column again and again, until all fit or none may be narrower. */
function narrowWidths(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
  for (let excess = widths.reduce((sum, one) => sum + one, 0) - room; excess > 0; excess--) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}
