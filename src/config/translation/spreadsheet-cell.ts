import { stringify } from "csv-stringify/sync";

/**
 * Spreadsheets take a cell that begins with one of these for a formula, and run it. A text that
 * does gets an apostrophe in front; one that already is an apostrophe before such a character gets
 * one more, so that nothing is lost.
 *
 * @example
 * protectCell("=HYPERLINK(…)"); // "'=HYPERLINK(…)"
 * protectCell("'s Avonds"); // "'s Avonds"
 */
export function protectCell(text: string): string {
  return PROTECTED_OR_DANGEROUS.test(text) ? `'${text}` : text;
}

/** Takes back what {@link protectCell} did. */
export function readCell(cell: string): string {
  return cell.startsWith("'") && PROTECTED_OR_DANGEROUS.test(cell) ? cell.slice(1) : cell;
}

/** The last four are full-width forms, which East Asian spreadsheets read alike. */
const PROTECTED_OR_DANGEROUS = /^'*[=+\-@\t\r＝＋－＠]/;

/** Rows as CSV (RFC 4180) without formulas: every text is quoted, lines end with CRLF. */
export function writeCsv(
  rows: readonly (readonly (string | number | null)[])[],
  { bom = false }: { readonly bom?: boolean } = {},
): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === "string" ? protectCell(cell) : String(cell ?? ""))),
  );
  return stringify(cells, { quoted: true, record_delimiter: "windows", bom });
}
