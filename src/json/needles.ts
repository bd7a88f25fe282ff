import { byteAt, skipSpace } from "./tokens.ts";

/** The parts that a document is searched for before a scan. Escaped letters are always searched for. */
export interface NeedleSpec {
  /** Members that matter only when they hold something other than an empty array or null. */
  readonly nonEmptyArrays?: readonly string[];
  /** Names of members that matter whatever they hold. */
  readonly names?: readonly string[];
  /** Texts in lower case; a match is any string that contains one after `toLowerCase()`. */
  readonly texts?: readonly string[];
}

/** Compiled needles: compile once, search often. Opaque outside this folder. */
export interface CompiledNeedles {
  /** True when a needle has no letters to search for, so that any document may hold it. */
  readonly always: boolean;
  readonly patterns: readonly Pattern[];
  /** How many bytes of each pattern are used: the length of the shortest. */
  readonly window: number;
  /** How far the window may move, by its last two bytes; 0 when a pattern may lie in it. */
  readonly shifts: Uint8Array;
}

interface Pattern {
  /** A byte matches when its bits under the mask equal the value. */
  readonly masks: Uint8Array;
  readonly values: Uint8Array;
  readonly isNonEmptyArray: boolean;
}

/**
 * Compiles needles. JSON can spell most characters in several ways. Once escaped letters are ruled
 * out, ASCII letters and the underscore have only one spelling, so the longest run of those is what
 * is searched for.
 *
 * @example
 * const NEEDLES = compileNeedles({ nonEmptyArrays: ["flags"], names: ["relatedTitle"] });
 */
export function compileNeedles(spec: NeedleSpec): CompiledNeedles {
  const spellings: Pattern[] = [
    ...(spec.nonEmptyArrays ?? []).map((name) => namePattern(name, true)),
    ...(spec.names ?? []).map((name) => namePattern(name, false)),
    ...(spec.texts ?? []).map((text) =>
      patternOf(findLongestRun(text, TEXT_RUNS).map(matchEitherCase)),
    ),
  ];
  const patterns = [...spellings, ESCAPED_LETTER];
  const window = Math.min(...patterns.map(({ masks }) => masks.length));
  if (window < 2) return { always: true, patterns, window, shifts: new Uint8Array(0) };
  return { always: false, patterns, window, shifts: shiftsOf(patterns, window) };
}

/** Returns false only if valid JSON holds no needle in any spelling. Reads about every fifth byte. */
export function mayHold(bytes: Uint8Array, needles: CompiledNeedles): boolean {
  if (needles.always) return true;
  const { shifts, window } = needles;
  const far = window - 1;
  const end = bytes.length;
  let i = far;
  for (;;) {
    // A constant step, independent of the bytes read, lets the processor overlap windows.
    while (i < end && shifts[((bytes[i - 1] ?? 0) << 8) | (bytes[i] ?? 0)] === far) i += far;
    if (i >= end) return false;
    const shift = shifts[((bytes[i - 1] ?? 0) << 8) | (bytes[i] ?? 0)] ?? 0;
    if (shift > 0) i += shift;
    else if (isAt(bytes, i - far, needles.patterns)) return true;
    else i++;
  }
}

function isAt(bytes: Uint8Array, start: number, patterns: readonly Pattern[]): boolean {
  for (let p = 0; p < patterns.length; p++) {
    const pattern = patterns[p];
    if (pattern === undefined || !matches(bytes, start, pattern)) continue;
    if (!pattern.isNonEmptyArray) return true;
    if (!isNothingMember(bytes, start + pattern.masks.length)) return true;
  }
  return false;
}

/**
 * True when a quoted name is followed by an empty array or null, or is not a member's name.
 *
 * @param pos offset after the name's closing quote
 */
function isNothingMember(bytes: Uint8Array, pos: number): boolean {
  const colon = skipSpace(bytes, pos);
  // Without a colon it is a string value that looks like the name.
  if (byteAt(bytes, colon) !== COLON) return true;
  const value = skipSpace(bytes, colon + 1);
  const first = byteAt(bytes, value);
  if (first === BRACKET_OPEN) {
    return byteAt(bytes, skipSpace(bytes, value + 1)) === BRACKET_CLOSE;
  }
  return first === LETTER_N;
}

const COLON = 0x3a;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const LETTER_N = 0x6e;

function matches(bytes: Uint8Array, start: number, { masks, values }: Pattern): boolean {
  if (start + masks.length > bytes.length) return false;
  let k = 0;
  while (k < masks.length && ((bytes[start + k] ?? 0) & (masks[k] ?? 0)) === values[k]) k++;
  return k === masks.length;
}

function namePattern(name: string, isNonEmptyArray: boolean): Pattern {
  // The value of the member can be checked only after its complete name.
  return /^[a-z_]+$/i.test(name)
    ? patternOf(Array.from(`"${name}"`, matchExactly), isNonEmptyArray)
    : patternOf(findLongestRun(name, NAME_RUNS).map(matchExactly));
}

function patternOf(tests: readonly ByteTest[], isNonEmptyArray = false): Pattern {
  return {
    masks: Uint8Array.from(tests, ({ mask }) => mask),
    values: Uint8Array.from(tests, ({ value }) => value),
    isNonEmptyArray,
  };
}

interface ByteTest {
  readonly mask: number;
  readonly value: number;
}

function matchExactly(character: string): ByteTest {
  return { mask: 0xff, value: character.charCodeAt(0) };
}

/** Upper and lower case of an ASCII letter differ in the bit 0x20. */
function matchEitherCase(character: string): ByteTest {
  return character === "_"
    ? matchExactly(character)
    : { mask: 0xdf, value: character.charCodeAt(0) & 0xdf };
}

/**
 * An ASCII letter that is written as an escape, such as the `\u0061` of `"fl\u0061gs"`, where names
 * and texts cannot be searched for as bytes. It matches `\u0040` to `\u007f`, but not the escaped
 * control characters, punctuation, digits and accented letters that many engines write.
 *
 * The first byte matches anything, which makes the pattern longer: no document begins with an escape.
 */
const ESCAPED_LETTER = patternOf([
  { mask: 0, value: 0 },
  ...Array.from("\\u00", matchExactly),
  { mask: 0xfc, value: 0x34 },
]);

const NAME_RUNS = /[a-z_]+/gi;

/** Without `k`, which is also the Kelvin sign in lower case, and without `i` with a dot above, the dotted capital I's. */
const TEXT_RUNS = /(?:[a-hjl-z_]|i(?!\u0307))+/g;

function findLongestRun(text: string, runs: RegExp): string[] {
  let longest = "";
  for (const [run] of text.matchAll(runs)) if (run.length > longest.length) longest = run;
  return Array.from(longest);
}

function shiftsOf(patterns: readonly Pattern[], window: number): Uint8Array {
  const shifts = new Uint8Array(0x10000).fill(window - 1);
  for (const pattern of patterns) {
    for (let k = 0; k < window - 1; k++) {
      const seconds = bytesAt(pattern, k + 1);
      for (const first of bytesAt(pattern, k)) {
        for (const second of seconds) {
          const pair = (first << 8) | second;
          shifts[pair] = Math.min(shifts[pair] ?? 0, window - 2 - k);
        }
      }
    }
  }
  return shifts;
}

function bytesAt({ masks, values }: Pattern, index: number): number[] {
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  return all.filter((byte) => (byte & (masks[index] ?? 0)) === values[index]);
}
