import type { Token } from "./analysis.ts";
import { foldText } from "./fold.ts";

/**
 * The identifiers of a text: codes that begin with letters (`E-1234` and `E1234` are one), and
 * numbers and lone letters by the words beside them (`status 404`, `404 error`, `plan B`).
 */
export interface Identifiers {
  readonly codes: ReadonlySet<string>;
  /** Each number with the stem of a word beside it. */
  readonly numbers: readonly { readonly number: string; readonly place: string }[];
}

/**
 * The identifiers of all phrases of one content, and the positions where other phrases have none.
 */
export interface KnownIdentifiers extends Identifiers {
  /** Stems that also occur in a phrase without a number, so that a number beside them is free. */
  readonly free: ReadonlySet<string>;
}

/** @param tokens the text's tokens */
export function identifiersOf(
  text: string,
  tokens: readonly Token[],
  language: string,
): Identifiers {
  if (!/\p{Nd}/u.test(text) && !tokens.some(isLoneLetter)) return none;
  const codes = new Set<string>();
  for (const [code] of foldText(text, language).matchAll(codeShape)) {
    codes.add(code.replaceAll(/[-_]|(?<=\d)s$/g, ""));
  }
  return { codes, numbers: numbersOf(tokens) };
}

/** Numbers and lone letters beside significant words; `2.1` is one number. */
function numbersOf(tokens: readonly Token[]): Identifiers["numbers"] {
  const numbers: { readonly number: string; readonly place: string }[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const from = at;
    while (isNumber(tokens[at])) at += 1;
    if (at === from) continue;
    const number = tokens
      .slice(from, at)
      .map(({ word }) => word)
      .join(".");
    const [before, after] = [tokens[from - 1], tokens[at]];
    if (before?.stop === false) numbers.push({ number, place: before.stem });
    // `404 error` names an error; `14 days` and `2 persons` name none.
    if (after?.stop === false && number.length >= minLengthBefore) {
      numbers.push({ number, place: after.stem });
    }
  }
  return numbers;
}

function isNumber(token: Token | undefined): boolean {
  return token !== undefined && (/^\d+$/.test(token.word) || isLoneLetter(token));
}

/** True for a letter that is no word of its language: it names one of several (`plan B`). */
function isLoneLetter({ word, share }: Token): boolean {
  return share === 1 && loneLetter.test(word);
}

/**
 * Removes lone letters unless they follow a word that also has one in a phrase: "what does b mean"
 * is not about plan B.
 *
 * @param places stems that a number or a letter follows in a phrase
 */
export function withoutNamelessLetters(
  tokens: readonly Token[],
  places: ReadonlySet<string>,
): readonly Token[] {
  let isPlace = false;
  return tokens.filter((token) => {
    if (!isNumber(token)) isPlace = places.has(token.stem);
    return isPlace || !isLoneLetter(token);
  });
}

const none: Identifiers = { codes: new Set(), numbers: [] };

/** Letters of an alphabet, then digits: Chinese or Thai words before a number are no part of it. */
const alphabets = String.raw`\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}`;
const loneLetter = new RegExp(`^[${alphabets}]$`, "u");
const codeShape = new RegExp(
  String.raw`(?<![${alphabets}\d])[${alphabets}]{1,8}[-_]?\d[${alphabets}\d]*(?:[-_.]\d+)*`,
  "gu",
);

/** Digits of a number that names the word behind it. */
const minLengthBefore = 3;

/** Joins the identifiers of a content's phrases; null when it has none. */
export function joinIdentifiers(
  phrases: readonly { readonly identifiers: Identifiers; readonly tokens: readonly Token[] }[],
): KnownIdentifiers | null {
  const all = phrases.map(({ identifiers }) => identifiers);
  const codes = new Set(all.flatMap((one) => [...one.codes]));
  const numbers = all.flatMap((one) => one.numbers);
  if (codes.size === 0 && numbers.length === 0) return null;
  const plain = phrases.filter(({ tokens }) =>
    tokens.every((one) => !/\d/.test(one.word) && !isLoneLetter(one)),
  );
  return {
    codes,
    numbers,
    free: new Set(plain.flatMap(({ tokens }) => tokens.map((one) => one.stem))),
  };
}

/**
 * True when a question names another thing than a content does: it has a code and all codes of the
 * content are others, or it has another number in the same position.
 */
export function hasAnotherIdentifier(asked: Identifiers, known: KnownIdentifiers | null): boolean {
  if (known === null) return false;
  const { codes, numbers, free } = known;
  const isListed = codes.size > 0 && codes.size <= maxNamed;
  if (asked.codes.size > 0 && isListed && asked.codes.isDisjointFrom(codes)) return true;
  return asked.numbers.some(({ place }) => {
    if (free.has(place)) return false;
    const named = new Set(numbers.filter((one) => one.place === place).map((one) => one.number));
    if (named.size === 0 || named.size > maxNamed) return false;
    return !asked.numbers.some(({ number }) => named.has(number));
  });
}

/** A content with more codes, or more numbers in one position, is about any of them. */
const maxNamed = 3;
