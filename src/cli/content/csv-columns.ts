import { didYouMean } from "../../yaml/nearest.ts";

/** A column of a CSV file: the key of a content that it fills, and how its cells are read. */
export interface Column {
  /** Path within the content, such as `["title"]` or `["attributes", "RATINGS"]`. */
  readonly path: readonly string[];
  /** Never called for an empty cell. */
  read(cell: string): unknown;
}

/** The column for a name in the header, or what is wrong with the name. */
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
/** A text that is not a number stays as it is: the schema says what is needed. */
const toNumber = (cell: string): unknown => (/^\s*-?\d{1,15}\s*$/.test(cell) ? Number(cell) : cell);
/** Splits at line breaks, or at `|`. Blank pieces are dropped. */
const toList = (cell: string): readonly string[] =>
  cell
    .split(/\r?\n|\|/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
const toNumbers = (cell: string): readonly unknown[] => toList(cell).map(toNumber);
/** Spreadsheets write TRUE. */
const toBoolean = (cell: string): unknown => cell.trim().toLowerCase();
const toWord = (cell: string): string => cell.trim();

/** In the order in which the documentation lists them. */
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
