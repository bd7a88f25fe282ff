import { stringify } from "csv-stringify/sync";
import { protectCell } from "../messages/spreadsheet-cell.ts";

/**
 * Rows as CSV (RFC 4180) that no spreadsheet takes for formulas: every cell quoted, lines end in
 * CRLF, a header first.
 */
export function csvOf(
  heading: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => protectCell(String(cell ?? ""))));
  return stringify([[...heading], ...cells], { quoted: true, record_delimiter: "windows" });
}
