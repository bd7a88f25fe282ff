import fc from "fast-check";
import { anyText as anyCharacters } from "../../fixtures/runs.ts";

const PIECES = [
  "{{query}}",
  "{{ name }}",
  "]]>",
  "<![CDATA[",
  "<b>x</b>",
  "&amp;",
  "&#13;",
  "&",
  '"',
  '""',
  "'",
  ",",
  ";",
  "\t",
  "\n",
  "\r",
  "\r\n",
  " ",
  "  ",
  "\u00A0",
  "\u202F",
  "\u200F",
  "\u2067x\u2069",
  "\u2028",
  "\u0085",
  "\uFEFF",
  "\u0000",
  "\u001B[31m",
  "\uFFFE",
  "=SUM(A1)",
  "+1",
  "-",
  "@",
  "'=x",
  "#",
  ": ",
  "- ",
  "|",
  "%",
  "\\",
  "\\n",
  "${HOME}",
  "👩‍👩‍👧‍👦",
  "مرحبا",
  "東京",
  "é",
  "no",
  "~",
  "null",
];

/**
 * Texts with everything that translators' files, spreadsheets, XML and YAML treat specially. Never
 * only white space.
 */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), anyCharacters({ maxLength: 4 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pieces) => pieces.join(""))
  .filter((text) => text.trim() !== "");
