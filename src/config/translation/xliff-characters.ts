/**
 * UTF-16 units that XML 1.0 forbids (2.2) or normalizes (2.11). They are written as
 * `<x id="U+000D-1"/>`.
 */
export const UNWRITABLE: RegExp =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Names a character. An id consists of this name and a number. */
export function toCharacterId(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The character that an element stands for, or null for any other element's id. */
export function characterOf(id: string): string | null {
  const [, digits] = /^U\+([0-9A-F]{4})-\d+$/.exec(id) ?? [];
  const character = digits === undefined ? "" : String.fromCharCode(Number.parseInt(digits, 16));
  return UNWRITABLE.test(character) ? character : null;
}
