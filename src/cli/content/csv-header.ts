import type { Column } from "./csv-columns.ts";

/**
 * Reports what is wrong with a header; `columns` is null when there is none. A cell of null is the
 * header as a whole.
 */
export function checkHeader(
  columns: readonly (Column | string)[] | null,
  complain: (cell: number | null, message: string) => void,
): void {
  if (columns === null) {
    complain(null, "the file is empty; its first line must name the columns id, title and answer");
    return;
  }
  const names = columns.map((column) => (typeof column === "string" ? "" : column.path.join(".")));
  for (const [index, column] of columns.entries()) {
    if (typeof column === "string") complain(index, column);
    else if (names.indexOf(names[index] ?? "") !== index) {
      complain(index, `the column ${names[index] ?? ""} is there twice`);
    }
  }
  const missing = ["id", "title", "answer"].filter((name) => !names.includes(name));
  if (missing.length > 0) complain(null, `the header names no column ${missing.join(", ")}`);
}
