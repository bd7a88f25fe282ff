import type { KnowledgeCategory } from "../../api/knowledge/answers.ts";
import type { Category, ContentItem } from "../content/types.ts";
import type { Catalog } from "./catalog.ts";

/** The categories of one language as a tree below the root, whose id is 0. */
export interface CategoryTree {
  has(id: number): boolean;
  bySlug(slug: string): number | null;
  /** A category and its descendants in pre-order, `maxDepth` levels down (-1: all). */
  below(id: number, maxDepth: number): readonly CategoryBranch[];
}

export interface CategoryBranch {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly parent: number | "-";
  readonly children: readonly number[];
  readonly depth: number;
}

export const ROOT = 0;

export function createCategoryTree({ categories }: Catalog): CategoryTree {
  const known = new Map(categories.map((category) => [category.id, category]));
  const parentOf = ({ parent }: Category): number =>
    parent !== null && known.has(parent) ? parent : ROOT;
  const children = Map.groupBy(categories, parentOf);
  const listIdsBelow = (id: number): readonly number[] =>
    (children.get(id) ?? []).map(({ id }) => id);

  function depthOf(id: number): number {
    let depth = 0;
    for (let at = known.get(id); at !== undefined && depth < known.size; depth += 1) {
      at = known.get(parentOf(at));
    }
    return id === ROOT ? 0 : Math.max(1, depth);
  }

  function branch(id: number, depth: number): CategoryBranch {
    const category = known.get(id);
    return {
      id,
      name: category?.name ?? "root",
      slug: category?.slug ?? "root",
      parent: category === undefined ? "-" : parentOf(category),
      children: listIdsBelow(id),
      depth,
    };
  }

  return {
    has: (id) => id === ROOT || known.has(id),
    bySlug: (slug) =>
      categories.find((category) => category.slug === slug)?.id ?? (slug === "root" ? ROOT : null),
    below(id, maxDepth) {
      const top = depthOf(id);
      const found: CategoryBranch[] = [];
      const open = [{ id, depth: top }];
      const seen = new Set<number>();
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (seen.has(at.id)) continue;
        seen.add(at.id);
        found.push(branch(at.id, at.depth));
        if (maxDepth !== -1 && at.depth - top >= maxDepth) continue;
        const next = at.depth + 1;
        open.push(
          ...listIdsBelow(at.id)
            .toReversed()
            .map((child) => ({ id: child, depth: next })),
        );
      }
      return found;
    },
  };
}

/** Categories with the numbers of contents in them. The root counts all, filed or not. */
export function countCategories(
  branches: readonly CategoryBranch[],
  tree: CategoryTree,
  items: readonly ContentItem[],
): readonly KnowledgeCategory[] {
  const filed = new Map<number, Set<number>>();
  for (const item of items) {
    for (const category of item.categories.length > 0 ? item.categories : [ROOT]) {
      filed.set(category, (filed.get(category) ?? new Set()).add(item.id));
    }
  }
  return branches.map((branch) => {
    const all = new Set(tree.below(branch.id, -1).flatMap(({ id }) => [...(filed.get(id) ?? [])]));
    return {
      ...branch,
      numContents: filed.get(branch.id)?.size ?? 0,
      numContentsDescendants: branch.id === ROOT ? items.length : all.size,
    };
  });
}

/** The contents directly in these categories; 0, or no category, means all. */
export function filterByCategories(
  items: readonly ContentItem[],
  ids: readonly number[] = [],
): readonly ContentItem[] {
  return isEverything(ids)
    ? items
    : items.filter(({ categories }) => categories.some((id) => ids.includes(id)));
}

/** Whether a content is filed in one of these categories or below it. */
export function isFiledIn(
  ids: readonly number[] = [],
  catalog: Catalog,
): (item: ContentItem) => boolean {
  if (isEverything(ids)) return () => true;
  const tree = createCategoryTree(catalog);
  const subtree = new Set(
    ids.filter((id) => tree.has(id)).flatMap((id) => tree.below(id, -1).map(({ id }) => id)),
  );
  return ({ categories }) => categories.some((id) => subtree.has(id));
}

function isEverything(ids: readonly number[]): boolean {
  return ids.length === 0 || ids.includes(ROOT);
}
