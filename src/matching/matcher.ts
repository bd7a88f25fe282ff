import type { Parts } from "./assemble.ts";
import { assemble } from "./assemble.ts";
import { createSearch } from "./search.ts";
import type { Matcher, MatcherOptions, Searchable } from "./types.ts";

/**
 * A matcher over the phrases of these contents. Neither this nor a search throws, whatever the
 * texts are.
 *
 * @example
 * const matcher = createMatcher([{ id: 1, phrases: ["Delivery times"] }], { language: "en" });
 * matcher.search("how long is the delivery time?").hits[0]?.id; // 1
 */
export function createMatcher(contents: readonly Searchable[], options: MatcherOptions): Matcher {
  const steps = assemble(contents, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return createSearch(step.value);
  }
}

/**
 * The same without holding up the event loop for longer than a few hundredths of a second at a
 * time.
 */
export async function buildMatcher(
  contents: readonly Searchable[],
  options: MatcherOptions,
  watch: BuildWatch = {},
): Promise<Matcher> {
  const steps = assemble(contents, options);
  const parts = await inSlices(steps, watch);
  return createSearch(parts);
}

export interface BuildWatch {
  /** Called now and then with the share that is done, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
  /** Aborted: the build ends with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Milliseconds of work between two pauses. */
const slice = 15;

async function inSlices(
  steps: Generator<number, Parts>,
  { onProgress, signal }: BuildWatch,
): Promise<Parts> {
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      onProgress?.(1);
      return step.value;
    }
    if (performance.now() - began < slice) continue;
    onProgress?.(step.value);
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    began = performance.now();
  }
}
