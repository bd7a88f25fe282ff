import { slugsFor } from "../content/slugs.ts";
import type { ContentItem } from "../content/types.ts";

/** An alternative title of a content, with an id and a slug of its own. */
export interface Question {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly item: ContentItem;
}

/**
 * So many alternatives of one content are user questions; what comes behind them is searched and
 * has no address.
 */
const MOST = 999;

/**
 * The user questions of contents: each alternative title is one. Its id is that of the content
 * times 1,000 plus its place among the alternatives, from 1: the third alternative of content 7 is
 * 7003. Its slug is made of its title, as a content's is.
 */
export function questionsOf(items: readonly ContentItem[]): readonly Question[] {
  const all = items.flatMap((item) =>
    item.alternatives
      .slice(0, MOST)
      .map((title, index) => ({ id: item.id * 1000 + index + 1, title, item })),
  );
  const slugs = slugsFor(all);
  return all.map((question) => ({ ...question, slug: slugs.get(question.id) ?? `${question.id}` }));
}

/** User questions that ask the same: those whose titles differ in letter case only. */
export function sameQuestion(one: Question, other: Question): boolean {
  return one.title.trim().toLowerCase() === other.title.trim().toLowerCase();
}
