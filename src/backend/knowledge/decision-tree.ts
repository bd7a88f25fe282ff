import type { DecisionNode } from "../../api/knowledge/types.ts";
import type { ContentItem } from "../content/types.ts";
import { visibleOf } from "./visit.ts";
import type { Visit } from "./visit.ts";

/** Nodes of a tree at most: chains may lead anywhere. */
const MOST = 500;

/**
 * A content and all that its options lead to, nearest first. Each is there once, although chains
 * may lead back.
 */
export function decisionTree(root: ContentItem, visit: Visit): readonly DecisionNode[] {
  const nodes = new Map<number, DecisionNode>();
  const open = [root];
  for (let item = open.shift(); item !== undefined && nodes.size < MOST; item = open.shift()) {
    if (nodes.has(item.id)) continue;
    const { id, title, slug } = item;
    const options = item.options.filter(({ content }) => visibleOf([content], visit).length > 0);
    nodes.set(id, {
      id,
      title,
      slug,
      options: options.map(({ label, content }) => ({ label, contentId: content })),
    });
    open.push(
      ...visibleOf(
        options.map(({ content }) => content),
        visit,
      ),
    );
  }
  return [...nodes.values()];
}
