import { FREQUENT_NAMES } from "./frequent-names.ts";
import { measureChineseName, redactChineseNames } from "./redact-chinese-names.ts";
import { redactToldName } from "./redact-told-names.ts";
import { foldWord, UNSPACED } from "./words.ts";

/** The facts of a conversation that are needed to redact its questions. */
export interface RedactionContext {
  /** Names that the reader gave elsewhere in the conversation. */
  readonly names: readonly string[];
  /** How readers of the language give their names. */
  readonly naming: NamingPhrases;
  /** Names that earlier questions gave. */
  readonly given?: readonly GivenName[];
  /** Called with each name that the question itself gives, as in "my name is Ada". */
  readonly noteName?: (name: GivenName) => void;
}

/** A name that a question gave. */
export interface GivenName {
  readonly name: string;
  /** True if only its capital and words such as "this is" say that it is a name. */
  readonly isGuess: boolean;
}

/** How readers of a language say their names: phrases before or after a name. */
export interface NamingPhrases {
  readonly before: readonly NamingPhrase[];
  readonly after: readonly NamingPhrase[];
  /** True for words that are no names, such as stop words. */
  readonly isOrdinary: (word: string) => boolean;
  /** True for a word that stands where a name could, but is none: `Canadian` in "I'm Canadian". */
  readonly isNoName: (word: string) => boolean;
}

/** Words before a name, such as `my name is` or `mrs`, or after one. */
interface NamingPhrase {
  readonly words: string;
  /** Words that must follow a name with words before it, as in `it's ^ from`; often none. */
  readonly behind: string;
  /** True if the name begins with a capital, as the words often stand beside something else. */
  readonly isCapital: boolean;
  /** True if nothing but the name stands between the words and punctuation. */
  readonly isAlone: boolean;
}

/**
 * @param phrases with `~` for the name, `^` for one with a capital, or `$` for one with a capital
 *   that has its part of the sentence for itself: `my name is ~, ~ calling, don ^, thanks $, $ here`.
 *   Words behind `!` are no names, nor are those that end like the ones behind `!-`.
 * @param ordinary words that are no names, folded
 */
export function readNamingPhrases(phrases: string, ordinary: ReadonlySet<string>): NamingPhrases {
  const all = phrases.split(",").map((phrase) => phrase.trim().normalize("NFKC").toLowerCase());
  const excluded = all.filter((phrase) => phrase.startsWith("!")).map((word) => word.slice(1));
  const noNames = new Set(excluded.filter((word) => !word.startsWith("-")).map(foldWord));
  const noEndings = excluded
    .filter((word) => word.startsWith("-"))
    .map((word) => foldWord(word.slice(1)));
  const unspaced = [...noNames].filter((word) => UNSPACED.test(word));
  const isExcluded = (folded: string): boolean =>
    noNames.has(folded) || noEndings.some((ending) => folded.endsWith(ending));
  const read = all.flatMap(toPhrase);
  return {
    before: sortLongestFirst(read.filter(({ words }) => words !== "")),
    after: sortLongestFirst(
      read
        .filter(({ words }) => words === "")
        .map((phrase) => ({ ...phrase, words: phrase.behind, behind: "" })),
    ),
    isOrdinary: (word) => {
      const folded = foldPart(word);
      return ordinary.has(folded) || isExcluded(folded);
    },
    isNoName: (word) =>
      isExcluded(foldPart(word)) || unspaced.some((beginning) => word.startsWith(beginning)),
  };
}

function foldPart(word: string): string {
  return foldWord(word.replace(/[.'-]$/u, ""));
}

function toPhrase(phrase: string): readonly NamingPhrase[] {
  const [, words = "", sign = "", behind = ""] = /^([^~^$!]*)([~^$])(.*)$/u.exec(phrase) ?? [];
  if (sign === "") return [];
  const [isCapital, isAlone] = [sign !== "~", sign === "$"];
  return [{ words: words.trim(), behind: behind.trim(), isCapital, isAlone }];
}

/** Sorts titles in front of "it's $", so that "it's Mr. Miller" loses more than its title. */
function sortLongestFirst(phrases: readonly NamingPhrase[]): readonly NamingPhrase[] {
  return phrases.toSorted(
    (one, other) =>
      Number(one.isAlone) - Number(other.isAlone) ||
      other.words.length - one.words.length ||
      other.behind.length - one.behind.length,
  );
}

type NoteName = (name: string, isGuess?: boolean) => void;

/** Replaces names by a mark: those that are known, and those that the text itself gives. */
export function redactNames(text: string, context: RedactionContext, mark: string): string {
  const { names, naming, given = [], noteName } = context;
  const all: GivenName[] = [...names.map((name) => ({ name, isGuess: false })), ...given];
  const note: NoteName = (named, isGuess = false) => {
    // "Will" is a name, but "will" in "will it arrive" is none.
    const words = named.split(/[\s-]+/u).filter((word) => !naming.isOrdinary(word));
    if (words.length === 0) return;
    const name = { name: words.join(" "), isGuess };
    all.push(name);
    noteName?.(name);
  };
  const redactFrequentName = (name: string): string => {
    note(name);
    return mark;
  };
  let redacted = FREQUENT_NAMES.reduce((left, one) => left.replace(one, redactFrequentName), text);
  redacted = redactNameAfterPhrase(redacted, naming, mark, note);
  redacted = redactNameBeforePhrase(redacted, naming, mark, note);
  redacted = redactChineseNames(redacted, mark, note);
  for (const { name, isGuess } of all) redacted = redactToldName(redacted, name, mark, isGuess);
  return redacted;
}

/** Redacts names after words such as `my name is`. */
function redactNameAfterPhrase(
  text: string,
  { before, isOrdinary, isNoName }: NamingPhrases,
  mark: string,
  note: NoteName,
): string {
  let redacted = text;
  let lower = toLowerUnits(redacted);
  for (const { words, behind, isCapital, isAlone } of before) {
    for (let at = findPhrase(lower, words, 0); at !== -1;) {
      const from = at + words.length;
      const gap = /^[\s:,."'„“«»-]*/u.exec(redacted.slice(from))?.[0].length ?? 0;
      const rest = redacted.slice(from + gap);
      const isName = !isCapital || /^\p{Lu}/u.test(rest);
      // Capitals mean nothing in a text that is written entirely in them.
      const isShouted = isInCapitals(redacted.slice(at, from));
      const named = isShouted ? toLowerUnits(rest) : rest;
      const length = isName ? measureName(named, isOrdinary, isNoName) : 0;
      const isFollowed = behind === "" || beginsWithPhrase(rest.slice(length), behind);
      if (length > 0 && isFollowed && (!isAlone || standsAlone(rest, length, isOrdinary))) {
        note(rest.slice(0, length), isCapital);
        redacted = `${redacted.slice(0, from + gap)}${mark}${rest.slice(length)}`;
        lower = toLowerUnits(redacted);
      }
      at = findPhrase(lower, words, from);
    }
  }
  return redacted;
}

/** True for a name up to punctuation, in "It's Anna, …" but not in "Thanks, When does it come". */
function standsAlone(
  text: string,
  length: number,
  isOrdinary: NamingPhrases["isOrdinary"],
): boolean {
  const [first = ""] = text.match(NAME_WORD) ?? [];
  const endsSentence = text.charAt(length - 1) === ".";
  return (endsSentence || /^ ?(?:$|[,.;:!)…،。-])/u.test(text.slice(length))) && !isOrdinary(first);
}

function beginsWithPhrase(text: string, phrase: string): boolean {
  const rest = toLowerUnits(text.trimStart());
  return findPhrase(rest.slice(0, phrase.length + 1), phrase, 0) === 0;
}

function isInCapitals(phrase: string): boolean {
  return phrase.length > 1 && phrase === phrase.toUpperCase() && phrase !== phrase.toLowerCase();
}

/** Redacts names before words such as `と申します`. */
function redactNameBeforePhrase(
  text: string,
  { after, isOrdinary }: NamingPhrases,
  mark: string,
  note: NoteName,
): string {
  let redacted = text;
  let lower = toLowerUnits(redacted);
  for (const { words, isCapital, isAlone } of after) {
    let from = 1;
    for (;;) {
      const at = lower.indexOf(words, from);
      if (at === -1) break;
      from = at + words.length;
      const end = redacted.slice(0, at).trimEnd().length;
      const begin = findNameBefore(redacted, end);
      const own = redacted.slice(begin, end);
      if (own === "" || isOrdinary(own)) continue;
      if (isCapital && !isCapitalized(own, isOrdinary)) continue;
      // Every sentence begins with a capital.
      if (isCapital && !isAlone && begin === 0 && !own.includes(" ")) continue;
      const before = redacted.slice(0, begin);
      // An article may stand before two names, as in "der Sepp Niedermayr hier".
      const alone = own.includes(" ") ? before.replace(ARTICLE, "") : before;
      if (isAlone && !/(?:^|[,.!?;:] ?)$/u.test(alone)) continue;
      if (isAlone && !/^(?:$|[,.!;:،-])/u.test(redacted.slice(from))) continue;
      note(own, isCapital);
      redacted = `${redacted.slice(0, begin)}${mark}${redacted.slice(end)}`;
      lower = toLowerUnits(redacted);
      from += mark.length - own.length;
    }
  }
  return redacted;
}

const ARTICLE = /(?<!\p{L})(?:der|die|da|el|la|il|o|a) $/iu;

/** True if each word begins with a capital and none is ordinary. */
function isCapitalized(name: string, isOrdinary: NamingPhrases["isOrdinary"]): boolean {
  return name.split(/[\s-]+/u).every((word) => /^\p{Lu}/u.test(word) && !isOrdinary(word));
}

/** Finds where the name that ends here begins: two words, or a few characters of a script without spaces. */
function findNameBefore(text: string, end: number): number {
  const last = findRunBefore(text, end);
  const isUnspaced = UNSPACED.test(text.slice(last, end));
  if (isUnspaced) return Math.max(last, end - maxUnspacedLength);
  const before = text.charAt(last - 1) === " " ? findRunBefore(text, last - 1) : last;
  return before < last - 1 ? before : last;
}

function findRunBefore(text: string, end: number): number {
  let begin = end;
  while (begin > 0 && IN_NAME.test(text.charAt(begin - 1))) begin--;
  return begin;
}

const IN_NAME = /[\p{L}\p{M}・ー]/u;
const maxUnspacedLength = 12;

/** Measures the name at the beginning of a text; 0 where there is none. */
function measureName(
  text: string,
  isOrdinary: NamingPhrases["isOrdinary"],
  isNoName: NamingPhrases["isNoName"],
): number {
  const first = text.charAt(0);
  if (/[\p{scx=Kana}]/u.test(first) && !/\p{sc=Han}/u.test(first)) {
    return /^[\p{scx=Kana}・ー=\s]+/u.exec(text)?.[0].trimEnd().length ?? 0;
  }
  if (/\p{sc=Han}/u.test(first)) return isNoName(text) ? 0 : measureHanName(text);
  let length = 0;
  let words = 0;
  let reached = 0;
  for (const { 0: word, index } of text.matchAll(NAME_WORD)) {
    // Punctuation between words ends a name.
    if (words > 0 && text.slice(reached, index) !== " ") break;
    const isCapital = /^\p{Lu}/u.test(word);
    const isCased = /^[\p{Lu}\p{Ll}]/u.test(word);
    // Short words may stand between capitals: Anna von der Heide.
    const isParticle = words > 0 && isCased && !isCapital && /^\p{Lu}/u.test(first);
    if (isNoName(word)) break;
    if (isParticle ? word.length > maxParticleLength : !isCapital && isOrdinary(word)) break;
    if (words > 1 && !isCapital && !isParticle) break;
    reached = index + word.length;
    if (!isParticle) length = index + word.length;
    // عبد is half a word of a name.
    if (!ARABIC_PREFIX.test(word)) words += 1;
    if (words === maxOfName || (word.endsWith(".") && !ABBREVIATION.test(word))) break;
  }
  return length;
}

/** A name in Han characters, and in Japanese the kana behind them: 小鳥遊ひかりです. */
function measureHanName(text: string): number {
  const han = /^[\p{sc=Han}·々 ]{1,5}/u.exec(text)?.[0].trimEnd().length ?? 0;
  if (!/[\p{sc=Hira}\p{sc=Kana}]/u.test(text.charAt(han))) return measureChineseName(text) || han;
  return JAPANESE_NAME.exec(text)?.[0].length ?? 0;
}

const JAPANESE_NAME =
  /^\p{sc=Han}[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}・ー ]{0,9}?(?=です|でし|でご|で[、,]|だ|と申|とい|と言|様|さん|[。、,.!]|$)/u;
const ARABIC_PREFIX = /^(?:عبد|أبو|ابو|بن|ابن|بنت|آل)$/u;
const ABBREVIATION = /^(?:\p{L}|dr|prof|mag|dipl|ing|med|mr|mrs|ms|st|sr|sra|sig|dott)\.$/iu;
const NAME_WORD = /(?:[\p{L}\p{M}'.-]|\u200c|\u200d)+/gu;
const maxParticleLength = 3;
const maxOfName = 5;

/** Lowers the case without changing the length, so that positions stay valid. */
function toLowerUnits(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (character) => {
    const lowered = character.toLowerCase();
    return lowered.length === character.length ? lowered : character;
  }).join("");
}

/** Finds a phrase of whole words from a position on; -1 if there is none. */
function findPhrase(lower: string, phrase: string, from: number): number {
  const isUnspaced = UNSPACED.test(phrase);
  for (let at = lower.indexOf(phrase, from); at !== -1; at = lower.indexOf(phrase, at + 1)) {
    const beginsWord = !/[\p{L}\p{M}]/u.test(lower.charAt(at - 1));
    const endsWord = !/[\p{L}\p{M}]/u.test(lower.charAt(at + phrase.length));
    if (isUnspaced || (beginsWord && endsWord)) return at;
  }
  return -1;
}
