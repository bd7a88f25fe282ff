/**
 * A number with its noun.
 *
 * @example
 * counted(1, "content"); // "1 content"
 * counted(0, "language"); // "0 languages"
 */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
