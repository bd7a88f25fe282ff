/**
 * Writes a text as a JSON string, in UTF-8 and with its quotes. Lone surrogates, which UTF-8 cannot
 * hold, are escaped (well-formed JSON.stringify); so are U+2028 and U+2029, which end a line in
 * older script engines.
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
