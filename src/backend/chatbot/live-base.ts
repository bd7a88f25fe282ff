import type { WordsOf } from "../../matching/types.ts";
import type { Content } from "../content/types.ts";
import { createKnowledgeBase, searchedIn, createMatchers } from "./knowledge-base.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";

/** Content that can be replaced while it is in use. */
export interface ChangingContent {
  current(): Content;
  /** The listener resolves when the new content is in use or was rejected. */
  onChange(listener: (content: Content) => Promise<void>): unknown;
}

/**
 * Creates a knowledge base that follows changes of its content. The old one answers until the new
 * one is built, and stays if that fails, which is reported to `report`.
 */
export function createLiveBase(
  content: Content | ChangingContent,
  wordsOf: WordsOf,
  report: (error: unknown) => void,
): () => KnowledgeBase {
  const matchers = createMatchers(wordsOf);
  if (!("onChange" in content)) {
    const base = createKnowledgeBase(content, matchers);
    return () => base;
  }
  let base = createKnowledgeBase(content.current(), matchers);
  let next: Content | null = null;
  let building: Promise<void> | null = null;
  content.onChange((changed) => {
    next = changed;
    building ??= build().finally(() => {
      building = null;
    });
    return building;
  });
  return () => base;

  /**
   * Changes are applied one after the other. Of several that arrive in the meantime, only the last
   * is applied.
   */
  async function build(): Promise<void> {
    for (let changed = next; changed !== null; changed = next) {
      next = null;
      try {
        for (const searched of searchedIn(changed)) await matchers.prepare(searched);
        base = createKnowledgeBase(changed, matchers);
      } catch (error) {
        report(error);
      }
    }
  }
}
