/**
 * Levels of lists and objects that a body of JSON may have. What is read of it is read recursively.
 */
export const DEEPEST = 100;

/**
 * True for JSON in which lists and objects are nested more than {@link DEEPEST} levels deep, before
 * it is parsed.
 */
export function isNestedTooDeep(text: string): boolean {
  // A form may have any brackets in its values.
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charCodeAt(index);
    if (sign === quote) index = endOfText(text, index);
    else if (sign === openList || sign === openObject) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (sign === closeList || sign === closeObject) depth -= 1;
  }
  return false;
}

const quote = 0x22;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quote that ends the text beginning at `start`. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index;
  while (text[before - 1] === "\\") before -= 1;
  return (index - before) % 2 === 1;
}
