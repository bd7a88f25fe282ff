import { type Document, isScalar, visit } from "yaml";
import type { Source, Span } from "./source.ts";

/**
 * Finds the first space that was pasted from a web page or chat program (U+00A0, U+3000 …) where
 * YAML needs a plain one, so that it became part of a key or broke the file. Null if there is none.
 */
export function findStrayBlank(document: Document.Parsed, { text, lines }: Source): Span | null {
  if (!SUSPECT.test(text)) return null;
  let start: number | null = null;
  visit(document, {
    Scalar(key, node) {
      const from = node.range?.[0];
      const isKey = key === "key" || node === document.contents;
      if (!isKey || !isScalar(node) || node.type !== "PLAIN" || from === undefined)
        return undefined;
      const found = text.slice(from, node.range?.[1]).search(IN_KEY);
      if (found === -1) return undefined;
      start = from + found + (BLANK.test(text.charAt(from + found)) ? 0 : 1);
      return visit.BREAK;
    },
  });
  if (start === null && document.errors.length > 0) {
    const last = Math.max(...document.errors.map(({ pos }) => pos[1]));
    for (const from of lines.filter((line) => line <= last)) {
      const end = text.indexOf("\n", from);
      const found = BEFORE_CODE.exec(text.slice(from, end === -1 ? text.length : end));
      if (found === null) continue;
      start = from + found[0].search(BLANK);
      break;
    }
  }
  return start === null ? null : { start, end: start + 1 };
}

/** Names a character for an error: `a no-break space (U+00A0)`. */
export function nameOfBlank(character: string): string {
  const isNoBreak = character === "\u00a0" || character === "\u202f";
  const name = isNoBreak ? "a no-break space" : "an invisible or wide space";
  return `${name} (${codeOfBlank(character)})`;
}

/** Writes the code point of a character: `U+00A0`. */
export function codeOfBlank(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

const ODD = "[\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u2060\\u3000\\ufeff]";
const BLANK = new RegExp(ODD, "u");
/** A cheap test that most files fail, so that they are not searched. */
const SUSPECT = new RegExp(`(?:^|\\n|[ :-])${ODD}`, "u");
/** A blank that begins a key, or follows a colon or hyphen that was meant as punctuation. */
const IN_KEY = new RegExp(`^${ODD}|^-${ODD}|:${ODD}`, "u");
/** A blank that indents a key, an item or a quoted text, or follows its colon or hyphen. */
const BEFORE_CODE = new RegExp(
  `^ *${ODD}(?:${ODD}| )*(?:[\\w"'.-]+:|- |["'])|^ *(?:- +)*[\\w"'.-]+:${ODD}|^ *-${ODD}`,
  "u",
);
