import type { WordsOf } from "../../matching/types.ts";
import type { Content } from "../content/types.ts";
import { createKnowledgeBase, searchedIn, createMatchers } from "./knowledge-base.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";

/** Content that may be replaced while it is in use. */
export interface ChangingContent {
  current(): Content;
  /** The listener resolves when the new content is in use, or was refused. */
  onChange(listener: (content: Content) => Promise<void>): unknown;
}

/**
 * The knowledge base of a content, and of every content that takes its place. One that is being
 * built answers nobody and holds up nobody: the old one goes on until the new one is whole, and
 * stays when it can't be built, which `report` is told about.
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

  /** One after the other; of several changes that came meanwhile, only the last. */
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
