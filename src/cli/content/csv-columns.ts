import { didYouMean } from "../../yaml/nearest.ts";

/** A column of a CSV file: the key of a content that it fills, and how its cells are read. */
export interface Column {
  /** Path within the content, such as `["title"]` or `["attributes", "RATINGS"]`. */
  readonly path: readonly string[];
  /** An empty cell is never asked. */
  read(cell: string): unknown;
}

/** The column for a name in the header, or what is wrong with the name. */
export function columnOf(header: string): Column | string {
  const name = header.trim();
  const attribute = /^attributes\.(.+)$/i.exec(name)?.[1];
  if (attribute !== undefined) return { path: ["attributes", attribute], read: asText };
  const found = Object.entries(READERS).find(([key]) => key.toLowerCase() === name.toLowerCase());
  if (found === undefined) {
    const guess = didYouMean(name, COLUMN_NAMES);
    const known = guess === "" ? ` Known: ${COLUMN_NAMES.join(", ")}, attributes.NAME` : guess;
    return `unknown column "${name}".${known}`;
  }
  const [key, read] = found;
  return { path: [key], read };
}

const asText = (cell: string): string => cell;
/** A text that is not a number stays as it is: the schema says what is needed. */
const asNumber = (cell: string): unknown => (/^\s*-?\d{1,15}\s*$/.test(cell) ? Number(cell) : cell);
/** By line breaks, or by `|`. Blank pieces are nothing. */
const asList = (cell: string): readonly string[] =>
  cell
    .split(/\r?\n|\|/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
const asNumbers = (cell: string): readonly unknown[] => asList(cell).map(asNumber);
/** Spreadsheets write TRUE. */
const asBoolean = (cell: string): unknown => cell.trim().toLowerCase();
const asWord = (cell: string): string => cell.trim();

/** In the order in which the documentation lists them. */
const READERS = {
  id: asNumber,
  title: asText,
  slug: asWord,
  alternatives: asList,
  answer: asText,
  sideBubble: asText,
  categories: asNumbers,
  order: asNumber,
  related: asNumbers,
  checkQuestion: asText,
  options: asNumbers,
  directCall: asWord,
  hidden: asBoolean,
  published: asBoolean,
  publishFrom: asWord,
  expires: asWord,
  modified: asWord,
  userTypes: asNumbers,
  environments: asList,
};

export const COLUMN_NAMES: readonly string[] = Object.freeze(Object.keys(READERS));
