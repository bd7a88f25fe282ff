import type { Edit } from "./types.ts";

/**
 * Applies edits. All other bytes are copied unchanged; without edits it returns the same array.
 * Offsets refer to `bytes` before any edit. Insertions at one offset keep their order.
 *
 * @param edits in order of `start`, not overlapping
 * @throws RangeError when edits overlap, are not in order, or lie outside the bytes
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

/** Checks all edits before anything is copied: overlapping ones would lose bytes silently. */
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
