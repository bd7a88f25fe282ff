/** Writes every character that could begin markup or end an attribute as an entity. */
export function escapeMarkup(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES.get(character) ?? "");
}

const SPECIAL = /[&<>"']/gu;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** One tag of a text. */
export const TAG = /<(\/?)([a-z][a-z0-9-]*)(?:\s[^<>]*)?(\/?)>/gi;
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

/** What is wrong with the nesting of a text's tags, or null. */
export function markupFault(text: string): string | null {
  const open: string[] = [];
  for (const [, closing, written = "", selfClosed] of text.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (VOID.has(name) || selfClosed === "/") continue;
    if (closing !== "/") {
      open.push(name);
      continue;
    }
    const last = open.pop();
    if (last === undefined) return `</${name}> closes nothing`;
    if (last !== name) return `<${last}> is still open where </${name}> stands`;
  }
  const last = open.at(-1);
  return last === undefined ? null : `<${last}> is never closed`;
}
