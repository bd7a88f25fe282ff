import type { Reporter } from "../../config/diagnostic.ts";
import { placeOf } from "./check-references.ts";
import type { LanguageDraft } from "./draft.ts";

/**
 * Reports categories that are there twice, hang under one that is not there, or go round in a
 * circle.
 */
export function checkCategories(language: LanguageDraft, reporter: Reporter): void {
  const parents = new Map(language.categories.map(({ value }) => [value.id, value.parent]));
  const ids = new Set<number>();
  const slugs = new Set<string>();
  for (const placed of language.categories) {
    const { id, slug, parent } = placed.value;
    const { source } = placed.file;
    if (ids.has(id)) {
      const message = `category ${id} is defined twice in ${language.language}`;
      reporter.error(source, placeOf(placed, ["id"]), "duplicate", message);
    }
    ids.add(id);
    if (slug !== undefined && slugs.has(slug)) {
      const message = `slug ${slug} is used twice in ${language.language}`;
      reporter.error(source, placeOf(placed, ["slug"]), "duplicate", message);
    }
    if (slug !== undefined) slugs.add(slug);
    if (parent === null) continue;
    const span = placeOf(placed, ["parent"]);
    if (!parents.has(parent) && !language.brokenCategories.has(parent)) {
      const message = `there is no category ${parent} in ${language.language}`;
      reporter.error(source, span, "unknown-reference", message);
      continue;
    }
    const circle = circleFrom(id, parents);
    if (circle !== null) {
      const message = `categories go round in a circle: ${circle.join(" is under ")}`;
      reporter.error(source, span, "invalid-value", message);
    }
  }
}

/** The way up from a category that comes back to it, or null. */
function circleFrom(
  id: number,
  parents: ReadonlyMap<number, number | null>,
): readonly number[] | null {
  const way = [id];
  for (let at = parents.get(id) ?? null; at !== null; at = parents.get(at) ?? null) {
    if (at === id) return [...way, id];
    // Another circle, which its own categories report.
    if (way.includes(at)) return null;
    way.push(at);
  }
  return null;
}
