/** A question may have this many Unicode code points (seed.md 9). */
export const MESSAGE_LIMIT = 256;

/** Counts code points, and no further than it must: a message may be megabytes long. */
export function isTooLong(text: string, limit: number = MESSAGE_LIMIT): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}
