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
