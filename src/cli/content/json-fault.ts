/**
 * Where JSON.parse stopped, and why. V8 names an offset, or quotes what stands around the character
 * that it did not expect, or says that the text has ended.
 */
export function jsonFault(
  text: string,
  error: unknown,
): { readonly start: number; readonly message: string } {
  const said = error instanceof Error ? error.message : "unknown reason";
  const offset = /^(.*) in JSON at position (\d+)/s.exec(said);
  if (offset !== null) return { start: Number(offset[2]), message: sentence(offset[1] ?? "") };
  const quoted = /^(Unexpected token '(.+?)'), (\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/s.exec(
    said,
  );
  if (quoted !== null) {
    const [, what = "", token = "", cut, excerpt = ""] = quoted;
    const from = cut === undefined ? text.indexOf(token) : text.indexOf(excerpt) + CONTEXT;
    return { start: Math.max(0, from), message: sentence(what) };
  }
  return { start: Math.max(0, text.trimEnd().length - 1), message: sentence(said) };
}

/** So many characters stand before the one that is meant, when there were more. */
const CONTEXT = 10;

function sentence(what: string): string {
  return `this can't be read as JSON: ${what}`;
}
