/**
 * The UTF-8 bytes of a JSON string, quotes included, that parses back to exactly `text`. Lone
 * surrogates, which UTF-8 cannot hold, are written as escapes (well-formed JSON.stringify); so are
 * U+2028 and U+2029, which end a line in older script engines.
 *
 * @example
 * quote('Nothing found for "tea"'); // the bytes of "Nothing found for \"tea\""
 */
export function quote(text: string): Uint8Array {
  const json = JSON.stringify(text).replace(LINE_ENDS, (end) =>
    end === "\u2028" ? "\\u2028" : "\\u2029",
  );
  return ENCODER.encode(json);
}

const LINE_ENDS = /[\u2028\u2029]/g;
const ENCODER = new TextEncoder();
