import { redactNames, type RedactionContext } from "./redact-names.ts";
import { joinAddresses, redactPatterns } from "./redact-patterns.ts";
import { redactSpokenNumbers } from "./redact-spoken-numbers.ts";
import { UNSPACED } from "./words.ts";

/** The text that replaces the redacted parts of a question. */
export const REDACTED = "[…]";

/** The most characters of a question that are kept. */
const maxCharacters = 200;

/** Longer texts are not kept, because engines accept questions of 256 characters. */
const maxLength = 1000;

/**
 * Redacts a question for storage. The result is one line in compatibility form, without addresses,
 * links, numbers of five or more digits (whatever separates the digits), and names that the reader
 * gave. Null if no question is left. In doubt, a part is redacted. The time grows linearly with the
 * length.
 *
 * @example
 * redactQuestion("Where is order 4711-0815? ada@shop.example", context); // "Where is order […]? […]"
 */
export function redactQuestion(typed: string, context: RedactionContext): string | null {
  if (typed.length > maxLength) return null;
  const plain = typed
    .toWellFormed()
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/(?![\u200c\u200d])[\p{Cf}\p{Co}\p{Cn}]/gu, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const text = joinAddresses(plain).replace(/ ?@ ?/gu, "@");
  const pieces = text.split(" ").map(redactAddress).join(" ");
  const spoken = redactPatterns(redactSpokenNumbers(redactNumbers(pieces), MARK), MARK);
  const nameless = redactNames(spoken, context, MARK);
  const line = nameless
    .replace(/\ue000[\s\ue000]*/gu, (run) => (run.endsWith(" ") ? `${MARK} ` : MARK))
    .trim();
  // A line of digits may be a PIN, a postcode or a customer's number, and asks nothing.
  const digits = countDigits(line);
  const isQuestion = /\p{L}/u.test(line) || (digits > 0 && digits < minAlone);
  return isQuestion ? shorten(line) : null;
}

/**
 * Stands for redacted parts until all are found. It is a private-use character, which no text has
 * after those were removed.
 */
const MARK = "\ue000";

function shorten(line: string): string {
  // A mark becomes the three characters of `REDACTED`.
  const signs = Array.from(line);
  let length = 0;
  let end = 0;
  while (end < signs.length) {
    length += signs[end] === MARK ? REDACTED.length : 1;
    if (length > maxCharacters) break;
    end++;
  }
  const kept = signs.slice(0, end).join("");
  return kept.trimEnd().replaceAll(MARK, REDACTED);
}

/** Redacts e-mail addresses, handles of services, and links in a piece between blanks. */
function redactAddress(piece: string): string {
  if (piece.includes("@")) return redactAround(piece, piece.indexOf("@"));
  const scheme = piece.indexOf("://");
  if (scheme !== -1) return redactAround(piece, scheme);
  const host = piece.toLowerCase().indexOf("www.");
  if (host !== -1) return redactAround(piece, host);
  // anna-at-shop-dot-example
  if (/[-_]at[-_]/iu.test(piece) && /[-_]dot[-_]/iu.test(piece)) return MARK;
  const domain = findDomain(piece);
  return domain === null ? piece : redactAround(piece, domain);
}

/** Redacts a whole piece or, in a script without blanks, only the address at `at`. */
function redactAround(piece: string, at: number): string {
  if (!UNSPACED.test(piece)) return MARK;
  let [begin, end] = [at, at];
  while (begin > 0 && ADDRESS.test(piece.charAt(begin - 1))) begin--;
  while (end < piece.length && ADDRESS.test(piece.charAt(end))) end++;
  // An address in the script of the words around it has no recognizable end.
  const isWhole = /[a-z0-9]@[a-z0-9]|:\/\/[a-z0-9]|\.[a-z]/iu.test(piece.slice(begin, end));
  if (!isWhole) return MARK;
  return `${redactAddress(piece.slice(0, begin))}${MARK}${redactAddress(piece.slice(end))}`;
}

const ADDRESS = /[!-~]/;

/**
 * Finds where a domain without a scheme begins, such as `shop.example/a`; null if there is none.
 */
function findDomain(piece: string): number | null {
  for (const { 0: run, index } of piece.matchAll(DOMAIN_RUN)) {
    const labels = run.split(".").filter((label) => label !== "");
    const [name = "", last = ""] = labels.slice(-2);
    const isPath = piece.charAt(index + run.length) === "/";
    const isName = labels.length > 1 && /^\p{L}{2,24}$/u.test(last);
    if (isName && (isPath || name.length > 1)) return index;
  }
  return null;
}

const DOMAIN_RUN = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{Nd}.-]+/gu;

/** Redacts bank accounts, numbers of five and more digits, and codes with that many digits. */
function redactNumbers(text: string): string {
  // Joiners are part of words in some scripts, and of no number.
  const marked = text
    .replace(/(?<=\p{Nd})[\u200c\u200d]/gu, "")
    .replace(ACCOUNT, (account) => (countDigits(account) >= minOfAccount ? MARK : account))
    .replace(DIGITS, redactDigits)
    .replace(/[〇零一二三四五六七八九两幺壹贰叁肆伍陆柒捌玖]{5,}/gu, MARK);
  return marked.replace(CODE, (code) => {
    if (countDigits(code) >= minDigits) return MARK;
    // The letters of a code stand close to its number.
    return code.includes(MARK) ? code.replace(RUN, (run) => (isShort(run) ? "" : run)) : code;
  });
}

function redactDigits(run: string): string {
  if (countDigits(run) < minDigits) return run;
  let end = run.length;
  while (end > 0 && BEHIND_DIGITS.test(run.charAt(end - 1))) end--;
  return `${MARK}${run.slice(end)}`;
}

/** Punctuation after a number belongs to the sentence. */
const BEHIND_DIGITS = /[\s.,:;]/;

function countDigits(text: string): number {
  return text.match(/[\p{Nd}\p{No}]/gu)?.length ?? 0;
}

const minDigits = 5;
const minAlone = 4;
const minOfAccount = 8;

/** An international bank account number, in groups or in one. */
const ACCOUNT =
  /(?<![A-Za-z])\p{L}{2}[ -]?\p{Nd}{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?/gu;
/** Digits of any script, with what stands between those of a telephone number or a date. */
const DIGITS =
  /[+(]{0,2}[\p{Nd}\p{No}][\p{Nd}\p{No}\p{M}\s().,·:;*#'_+/\\\u2010-\u2015\u2044\u060c\u066b\u066c|~-]*/gu;
const CODE =
  /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}\p{Nd}\ue000._:/#-]+/gu;
const RUN = /[\p{L}\p{N}]+[._:/#-]*/gu;

function isShort(run: string): boolean {
  return run.replace(/[._:/#-]/gu, "").length <= maxLengthInCode;
}

const maxLengthInCode = 4;
