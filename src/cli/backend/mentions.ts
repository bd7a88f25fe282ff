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
   * `joann@shop.example` nor in `ann@shop.example.org`. Only for an e-mail address, for anything
   * else may be a word that everybody uses: then as `is`.
   */
  readonly within: (text: string) => boolean;
  /** Rows worth looking at: a column that may hold the address, as it is or as JSON. */
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
 * Databases agree on the letter case of ASCII only, so that other characters may be any. A letter
 * before them may be part of one that is composed elsewhere.
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
