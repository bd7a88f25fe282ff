import type { Content } from "../content/types.ts";
import { createKnowledgeBase } from "./knowledge-base.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import { keepingMatchers } from "./matchers.ts";

/** Content that may be replaced while it is in use. */
export interface ChangingContent {
  current(): Content;
  onChange(listener: (content: Content) => void): unknown;
}

/**
 * The knowledge base of a content, and of every content that takes its place. One that is being built answers nobody: the old
 * one goes on until the new one is whole, and stays when it can't be built, which `report` is told about.
 */
export function liveBase(
  content: Content | ChangingContent,
  report: (error: unknown) => void,
): () => KnowledgeBase {
  const matcherFor = keepingMatchers();
  if (!("onChange" in content)) {
    const base = createKnowledgeBase(content, matcherFor);
    return () => base;
  }
  let base = createKnowledgeBase(content.current(), matcherFor);
  content.onChange((next) => {
    try {
      base = createKnowledgeBase(next, matcherFor);
    } catch (error) {
      report(error);
    }
  });
  return () => base;
}
