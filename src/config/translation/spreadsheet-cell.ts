import { stringify } from "csv-stringify/sync";

/**
 * Protects a cell that a spreadsheet would run as a formula. A text that begins with one of these
 * characters gets an apostrophe in front. A text that begins with apostrophes before such a
 * character gets one more, so that the protection can be removed without loss.
 *
 * @example
 * protectCell("=HYPERLINK(…)"); // "'=HYPERLINK(…)"
 * protectCell("'s Avonds"); // "'s Avonds"
 */
export function protectCell(text: string): string {
  return PROTECTED_OR_DANGEROUS.test(text) ? `'${text}` : text;
}

/** Removes the protection of {@link protectCell}. */
export function readCell(cell: string): string {
  return cell.startsWith("'") && PROTECTED_OR_DANGEROUS.test(cell) ? cell.slice(1) : cell;
}

/** The last four are full-width forms, which East Asian spreadsheets treat the same. */
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
