import type { Edit } from "./types.ts";

/**
 * Applies edits. Every byte outside of them is copied as it is; without an edit the very same array
 * comes back. Offsets are those of `bytes` before any edit; two insertions at one offset come out
 * in their order.
 *
 * @param edits in order of `start`, not overlapping
 * @throws RangeError when they are not, or when an edit lies outside the bytes
 * @example
 * splice(bytes, [{ start: node.start, end: node.end, bytes: quote("Hello") }]);
 */
export function splice(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  if (edits.length === 0) return bytes;
  const result = new Uint8Array(lengthAfter(bytes, edits));
  let from = 0;
  let to = 0;
  for (const edit of edits) {
    result.set(bytes.subarray(from, edit.start), to);
    to += edit.start - from;
    result.set(edit.bytes, to);
    to += edit.bytes.length;
    from = edit.end;
  }
  result.set(bytes.subarray(from), to);
  return result;
}

/** Checked before anything is copied: an overlap would silently lose bytes that are not ours. */
function lengthAfter(bytes: Uint8Array, edits: readonly Edit[]): number {
  let length = bytes.length;
  let from = 0;
  for (const { start, end, bytes: replacement } of edits) {
    const isInPlace = Number.isInteger(start) && Number.isInteger(end) && start <= end;
    if (!isInPlace || start < from || end > bytes.length) {
      throw new RangeError(
        `Edit ${start}..${end} overlaps the one before it (up to ${from}), or is not within 0..${bytes.length}. Sort the edits by start.`,
      );
    }
    length += replacement.length - (end - start);
    from = end;
  }
  return length;
}
