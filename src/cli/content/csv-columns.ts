import { didYouMean } from "../../yaml/nearest.ts";

/** A column of a CSV file, which fills one key of a content. */
export interface Column {
  /** Path within the content, such as `["title"]` or `["attributes", "RATINGS"]`. */
  readonly path: readonly string[];
  /** Converts a cell to the key's value. It is not called for empty cells. */
  read(cell: string): unknown;
}

/** Finds the column of a name in the header. Returns a sentence for an unknown name. */
export function columnOf(header: string): Column | string {
  const name = header.trim();
  const attribute = /^attributes\.(.+)$/i.exec(name)?.[1];
  if (attribute !== undefined) return { path: ["attributes", attribute], read: toText };
  const found = Object.entries(READERS).find(([key]) => key.toLowerCase() === name.toLowerCase());
  if (found === undefined) {
    const guess = didYouMean(name, COLUMN_NAMES);
    const known = guess === "" ? ` Known: ${COLUMN_NAMES.join(", ")}, attributes.NAME` : guess;
    return `unknown column "${name}".${known}`;
  }
  const [key, read] = found;
  return { path: [key], read };
}

const toText = (cell: string): string => cell;
/** Leaves a text that is not a number as it is, so that the schema reports it. */
const toNumber = (cell: string): unknown => (/^\s*-?\d{1,15}\s*$/.test(cell) ? Number(cell) : cell);
/** Splits at line breaks, or at `|`. Blank pieces are dropped. */
const toList = (cell: string): readonly string[] =>
  cell
    .split(/\r?\n|\|/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
const toNumbers = (cell: string): readonly unknown[] => toList(cell).map(toNumber);
/** Returns the word in lower case, because spreadsheets write TRUE. The schema reads the word. */
const toBoolean = (cell: string): unknown => cell.trim().toLowerCase();
const toWord = (cell: string): string => cell.trim();

/** The columns, in the order of the documentation. */
const READERS = {
  id: toNumber,
  title: toText,
  slug: toWord,
  alternatives: toList,
  answer: toText,
  sideBubble: toText,
  categories: toNumbers,
  order: toNumber,
  related: toNumbers,
  checkQuestion: toText,
  options: toNumbers,
  directCall: toWord,
  hidden: toBoolean,
  published: toBoolean,
  publishFrom: toWord,
  expires: toWord,
  modified: toWord,
  userTypes: toNumbers,
  environments: toList,
};

export const COLUMN_NAMES: readonly string[] = Object.freeze(Object.keys(READERS));
