import type { ContentItem } from "../content/types.ts";

/**
 * Ids of the contents that are offered beside this one: its attribute `CROSS_SELLING`, such as
 * `"12, 15"`. What is no id is as good as absent.
 */
export function crossSellingOf({ id, attributes }: ContentItem): readonly number[] {
  const written = Object.hasOwn(attributes, "CROSS_SELLING") ? attributes["CROSS_SELLING"] : "";
  const ids = (written ?? "")
    .split(/[\s,;]+/)
    .filter((part) => /^\d{1,15}$/.test(part))
    .map(Number);
  return [...new Set(ids)].filter((other) => other !== id);
}
