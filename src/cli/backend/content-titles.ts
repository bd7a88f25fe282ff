import { existsSync } from "node:fs";
import { loadAllContent } from "../../backend/content/load.ts";
import { storedRows } from "../../backend/content/rows.ts";
import { createContents } from "../../backend/storage/contents.ts";
import type { DatabaseHandle } from "../../backend/storage/database-handle.ts";

/**
 * Titles of contents by id, as the bot has them now, in the language that comes first. Empty when
 * the contents can't be read: a report goes without, and other commands say what is wrong.
 */
export async function contentTitles(
  database: DatabaseHandle,
  directory: string,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  if (!existsSync(directory)) return titles;
  const rows = storedRows(await createContents(database).all());
  const { content } = loadAllContent(directory, { rows, environment: null });
  const items = [...(content?.languages.values() ?? [])].flatMap((language) => language.items);
  for (const { id, title } of items.toReversed()) titles.set(String(id), title);
  return titles;
}
