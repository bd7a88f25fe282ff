/**
 * Writes a number with its noun.
 *
 * @example
 * formatCount(1, "content"); // "1 content"
 * formatCount(0, "language"); // "0 languages"
 */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
