import type { ContentItem } from "../content/types.ts";
import type { Hit, SearchResult } from "../../matching/types.ts";
import { contentOf } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** A content that may be what was asked for, and how likely that is: from 0 to 1. */
export interface Result {
  readonly item: ContentItem;
  readonly score: number;
}

/** What a search comes to for the reader. */
export type Outcome =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly result: Result }
  /** Best first, at least two. */
  | { readonly kind: "several"; readonly results: readonly Result[] }
  | { readonly kind: "too-many" };

/**
 * Sorts out what was found. The best hit alone answers; of several that lie too close together the
 * reader chooses. Too many to choose from, a question is asked back: more than twice as many as are
 * offered at once, or more than are offered when the question is a single word, which says too
 * little to leave any out.
 */
export function outcomeOf(scene: Scene, found: SearchResult, question: string): Outcome {
  const results = closestOf(found).flatMap(({ id, score }): readonly Result[] => {
    const item = contentOf(scene, id);
    return item === null ? [] : [{ item, score }];
  });
  const { maxOptions } = scene.session.settings;
  const tooMany =
    results.length > 2 * maxOptions || (results.length > maxOptions && isOneWord(question, scene));
  if (tooMany) return { kind: "too-many" };
  const [first] = results;
  if (first === undefined) return { kind: "none" };
  return results.length === 1 ? { kind: "one", result: first } : { kind: "several", results };
}

/**
 * The hits that may be what was asked for, best first: none, the best alone, or several that are
 * equally close.
 */
export function closestOf({ hits, rivals, threshold }: SearchResult): readonly Hit[] {
  const [best] = hits;
  if (best === undefined || best.score < threshold) return [];
  // A phrase that is the question, word for word, beats every likeness; several contents may have
  // the same, and then the order is that of their ids, whatever else a matcher knows about them.
  const exact = hits.filter((hit) => hit.exact).toSorted((one, other) => one.id - other.id);
  return exact.length > 0 ? exact : [best, ...rivals.filter(({ id }) => id !== best.id)];
}

function isOneWord(question: string, { shelf }: Scene): boolean {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(shelf.language, { granularity: "word" }).segment(
    question,
  )) {
    if (isWordLike === true) words += 1;
    if (words > 1) return false;
  }
  return true;
}
