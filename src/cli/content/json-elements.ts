import type { Span } from "../../config/source.ts";

/**
 * Where the elements of an array stand: of the text itself, or of the array that an object at the
 * top has under `key` (the last one, as JSON.parse takes it). The text is known to be JSON.
 */
export function jsonElements(text: string, key: string | null): readonly Span[] {
  const depthOfElements = key === null ? 1 : 2;
  let found: Span[] = [];
  let depth = 0;
  let start = -1;
  let name: string | null = null;
  const isOurs = (): boolean => depth === depthOfElements && (key === null || name === key);
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? "";
    if (/\s/.test(mark)) continue;
    if (mark === '"') {
      const end = stringEnd(text, at);
      if (isOurs() && start === -1) start = at;
      if (key !== null && depth === 1 && /^\s*:/.test(text.slice(end, end + 100))) {
        name = String(JSON.parse(text.slice(at, end)));
        if (name === key) found = [];
      }
      at = end - 1;
    } else if (mark === "[" || mark === "{") {
      if (isOurs() && start === -1) start = at;
      depth += 1;
    } else if (mark === "]" || mark === "}" || mark === ",") {
      if (isOurs() && start !== -1) {
        found.push({ start, end: at });
        start = -1;
      }
      if (mark !== ",") depth -= 1;
    } else if (isOurs() && start === -1) start = at;
  }
  return found;
}

/**
 * Where a key of the object at the top stands, the last one as well; the text's start when there is
 * none.
 */
export function jsonKey(text: string, key: string): Span {
  let found: Span = { start: 0, end: 1 };
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? "";
    if (mark === '"') {
      const end = stringEnd(text, at);
      const isKey = depth === 1 && /^\s*:/.test(text.slice(end, end + 100));
      if (isKey && JSON.parse(text.slice(at, end)) === key) found = { start: at, end };
      at = end - 1;
    } else if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
  }
  return found;
}

/** The offset behind the quote that closes the string at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
