import { parseRecords, readDelimiter } from "../../../config/translation/csv.ts";
import { createReporter } from "../../../yaml/diagnostic.ts";
import { createSource } from "../../../yaml/source.ts";
import { hasSheetColumn, readSheetHeader } from "./sheet-columns.ts";

/** The beginning of a sheet. */
export interface SheetHead {
  /** The names of the columns. */
  readonly names: readonly string[];
  /** The rows above them, such as a title or the names of languages. */
  readonly above: readonly (readonly string[])[];
}

/** Finds the names of columns in a sheet's first rows: people write titles above them. */
export function readSheetHead(text: string): SheetHead {
  const lines = text.split(/\r?\n/u, MAX_ABOVE + 1);
  const [first = "", second = ""] = lines;
  if (readDelimiter(first).isNamed) return { names: cellsOf(`${first}\n${second}`), above: [] };
  const rows = lines.map(cellsOf);
  const [names = []] = rows;
  const at = hasSheetColumn(names) ? 0 : rows.findIndex(isHeader);
  return at === -1 ? { names, above: [] } : { names: rows[at] ?? [], above: rows.slice(0, at) };
}

/** Empties the lines above the names of columns, so that all others keep their numbers. */
export function withoutAbove(text: string, { above }: SheetHead): string {
  let at = 0;
  for (const _ of above) at = text.indexOf("\n", at) + 1;
  return "\n".repeat(above.length) + text.slice(at);
}

const MAX_ABOVE = 10;

function cellsOf(line: string): readonly string[] {
  const records = parseRecords(createSource("", line), createReporter());
  // A title may have quotes that are none of CSV's.
  return records === null ? [line] : (records[0]?.cells ?? []);
}

function isHeader(names: readonly string[]): boolean {
  const roles = readSheetHeader(names).map(({ role }) => role);
  return roles.includes("question") && roles.includes("answer");
}
