/**
 * A text as a double-quoted YAML scalar on one line. Characters that nobody sees (controls, marks
 * of direction, line separators) are written as escapes, so that a reader of the file knows they
 * are there.
 *
 * @example
 * quoteYaml('He said "hi"\n'); // '"He said \"hi\"\\n"'
 */
export function quoteYaml(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const INVISIBLE =
  // oxlint-disable-next-line no-control-regex
  /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]/g;
