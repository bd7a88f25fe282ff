/**
 * Writes a text as a double-quoted YAML scalar on one line. Invisible characters (controls,
 * direction marks, line separators) are escaped, so that a reader of the file sees them.
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
