/**
 * A text without the characters of a set at its end. A pattern such as `/\/+$/` starts anew at each
 * of a long run of them and so takes the square of its length.
 *
 * @example
 * dropTrailing("https://example.com//", "/"); // "https://example.com"
 */
export function dropTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
