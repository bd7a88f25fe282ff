import type { Terminal } from "../command.ts";
import type { TextOrJson } from "../text-or-json.ts";
import { tableOf } from "./table.ts";

export interface Listing<Item> {
  /** As JSON shows them. */
  readonly items: readonly Item[];
  /** What a person reads when there are none: what there is none of, and what makes one. */
  readonly empty: string;
  readonly heading: readonly string[];
  /** The cells of an item, one below each word of the heading. */
  readonly row: (item: Item) => readonly string[];
}

/**
 * Shows what a command lists: JSON as it is asked for, else a table or the sentence that says that
 * there are none.
 */
export function printList<Item>(
  terminal: Terminal,
  format: TextOrJson,
  { items, empty, heading, row }: Listing<Item>,
): void {
  if (format === "json") terminal.out(`${JSON.stringify(items, null, 2)}\n`);
  else if (items.length === 0) terminal.out(`${empty}\n`);
  else terminal.out(tableOf(heading, items.map(row), terminal.columns));
}

/** The day of an ISO time as a cell, or `-` for what has not happened. */
export function dayOf(time: string | null): string {
  return time?.slice(0, 10) ?? "-";
}
