import { toComparable } from "../../locales/person.ts";
import { parseJson } from "../../json/values.ts";
import { type RawBuilder, sql } from "kysely";

/** How texts are searched for one person's address. */
export interface Mention {
  /** The address in lower case, with composed letters. */
  readonly address: string;
  /** True when the whole text is the address. */
  readonly is: (text: string) => boolean;
  /**
   * True when the address stands in the text as a word of its own: `ann@shop.example` is neither in
   * `joann@shop.example` nor in `ann@shop.example.org`. Only for e-mail addresses, because any
   * other text may be a common word. For those it is the same as `is`.
   */
  readonly within: (text: string) => boolean;
  /** Condition for rows to examine: a column may contain the address, plain or as JSON. */
  readonly possible: (column: string) => RawBuilder<boolean>;
}

export function mentionOf(given: string): Mention {
  const address = toComparable(given);
  const is = (text: string): boolean => toComparable(text) === address;
  // A sign before the address may compose with its first letter.
  const mentionsPerson = (text: string): boolean =>
    word.test(toComparable(text)) || word.test(text.toLowerCase());
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}._%+-])${escapePattern(address)}(?![\\p{L}\\p{N}_@-]|\\.[\\p{L}\\p{N}])`,
    "u",
  );
  const pattern = `%${patternOf(given.trim())}%`;
  return {
    address,
    is,
    within: address.includes("@") ? mentionsPerson : is,
    possible: (column) => sql<boolean>`lower(${sql.ref(column)}) LIKE ${pattern} ESCAPE '~'`,
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/**
 * Databases agree only on the letter case of ASCII, so the pattern accepts any other character. A
 * letter before such a character may belong to a letter that is composed elsewhere.
 */
function patternOf(address: string): string {
  return JSON.stringify(address)
    .slice(1, -1)
    .split(/[\x20-\x7e]?[^\x20-\x7e]+/)
    .map((part) => part.replaceAll(/[~%_]/g, "~$&"))
    .join("%")
    .toLowerCase();
}

/** All texts in a JSON document except the names of members; none in a text that is not JSON. */
export function textsIn(json: string): readonly string[] {
  return textsOf(parseJson(json));
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
