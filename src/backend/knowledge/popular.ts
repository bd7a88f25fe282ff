import type { ContentItem } from "../content/types.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";

/** Milliseconds for which a click makes a content popular: 30 days. */
export const POPULAR_FOR: number = 30 * 86_400_000;

/** Ids of contents by recorded clicks, most first; equal numbers go by id. */
export async function popularIds(
  { kysely }: BackendDatabase,
  project: string,
  now: number,
): Promise<readonly number[]> {
  const rows = await kysely
    .selectFrom("knowledge_events")
    .select((builder) => ["content", builder.fn.countAll<number>().as("clicks")])
    .where("project", "=", project)
    .where("clicked", "=", 1)
    .where("content", "is not", null)
    .where("at", ">", now - POPULAR_FOR)
    .groupBy("content")
    .orderBy("clicks", "desc")
    .orderBy("content")
    .execute();
  return rows.flatMap(({ content }) => (content === null ? [] : [content]));
}

/** Contents by attribute PUSH, lowest first, then those without; without any, the newest. */
export function pushed(
  items: readonly ContentItem[],
  modified: (item: ContentItem) => number,
): readonly ContentItem[] {
  const placed = items.flatMap((item) => {
    const place = placeOf(item);
    return place === null ? [] : [{ item, place }];
  });
  if (placed.length > 0) {
    return placed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
  }
  return newestFirst(items, modified);
}

export function newestFirst(
  items: readonly ContentItem[],
  moment: (item: ContentItem) => number,
): readonly ContentItem[] {
  return items.toSorted((a, b) => moment(b) - moment(a) || a.id - b.id);
}

function placeOf({ attributes }: ContentItem): number | null {
  const written = Object.hasOwn(attributes, "PUSH") ? (attributes["PUSH"] ?? "").trim() : "";
  if (/^\d{1,9}$/.test(written)) return Number(written) === 0 ? null : Number(written);
  return /^(?:true|yes)$/i.test(written) ? Number.MAX_SAFE_INTEGER : null;
}
