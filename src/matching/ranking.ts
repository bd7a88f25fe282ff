/** What a question may ask for: place by place, without an object for each. */
export interface Candidates {
  /** Numbers of contents; only the first `count` places are valid, here and below. */
  readonly contents: Int32Array;
  readonly evidence: Float64Array;
  count: number;
}

/**
 * Places of the best `limit` candidates, best first: more evidence before less, then the smaller
 * id, then the earlier content. That order is the same whatever the order of the places.
 *
 * @param ids by the number of a content
 * @param limit none below 1
 */
export function bestOf(
  candidates: Candidates,
  ids: readonly number[],
  limit: number,
): readonly number[] {
  const { evidence, count } = candidates;
  const behind = (one: number, other: number): boolean => {
    const difference = (evidence[other] ?? 0) - (evidence[one] ?? 0);
    return difference === 0 ? order(candidates, ids, one, other) > 0 : difference > 0;
  };
  // A heap with the last of the best at its top: nearly every candidate is out after one look at
  // that.
  const heap: number[] = [];
  let least = -Infinity;
  for (let place = 0; place < count; place += 1) {
    if (heap.length < limit) {
      rise(heap, place, behind);
      least = evidence[heap[0] ?? 0] ?? 0;
    } else if ((evidence[place] ?? 0) >= least && behind(heap[0] ?? place, place)) {
      sink(heap, place, behind);
      least = evidence[heap[0] ?? 0] ?? 0;
    }
  }
  return sorted(heap, candidates, ids);
}

/** These places, best first. */
export function sorted(
  places: readonly number[],
  candidates: Candidates,
  ids: readonly number[],
): readonly number[] {
  return places.toSorted((one, other) => order(candidates, ids, one, other));
}

/** Below 0 when the candidate at `one` comes first. */
function order(
  { contents, evidence }: Candidates,
  ids: readonly number[],
  one: number,
  other: number,
): number {
  const difference = (evidence[other] ?? 0) - (evidence[one] ?? 0);
  if (difference !== 0) return difference;
  const [content = 0, next = 0] = [contents[one], contents[other]];
  return (ids[content] ?? 0) - (ids[next] ?? 0) || content - next;
}

type Behind = (one: number, other: number) => boolean;

/** Puts one more in. */
function rise(heap: number[], place: number, behind: Behind): void {
  let at = heap.length;
  heap.push(place);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up] ?? place;
    if (!behind(place, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = place;
}

/** Puts one in for the top. */
function sink(heap: number[], place: number, behind: Behind): void {
  let at = 0;
  for (;;) {
    let down = at * 2 + 1;
    const left = heap[down];
    if (left === undefined) break;
    const right = heap[down + 1];
    let child = left;
    if (right !== undefined && behind(right, left)) {
      child = right;
      down += 1;
    }
    if (!behind(child, place)) break;
    heap[at] = child;
    at = down;
  }
  heap[at] = place;
}
