import type { Source, Span } from "../../config/source.ts";

/** Where the cells of a record stand; a record of blank lines is none. */
export type RecordPlaces = readonly Span[];

/**
 * Where every cell of a CSV text stands, record by record. For diagnostics alone: what the cells
 * say is the parser's business.
 */
export function csvPlaces({ text }: Source, delimiter: string): readonly RecordPlaces[] {
  const records: RecordPlaces[] = [];
  let cells: Span[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    at = text[at] === '"' ? quotedEnd(text, at) : at;
    while (at < text.length && text[at] !== delimiter && !isBreak(text, at)) at += 1;
    cells.push({ start, end: at });
    if (text[at] === delimiter) {
      at += 1;
      // Nothing follows the last delimiter, not even a line break: still a cell.
      if (at === text.length) cells.push({ start: at, end: at });
      else continue;
    }
    if (cells.length > 1 || cells.some(({ start: from, end }) => end > from)) records.push(cells);
    cells = [];
    at += text[at] === "\r" ? 2 : 1;
  }
  return records;
}

/** The offset behind the quote that closes the cell; the text's end when none does. */
function quotedEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] !== '"') return at + 1;
    at += 1;
  }
  return text.length;
}

function isBreak(text: string, at: number): boolean {
  return text[at] === "\n" || (text[at] === "\r" && text[at + 1] === "\n");
}
