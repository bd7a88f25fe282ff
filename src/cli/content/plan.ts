import { isDeepStrictEqual } from "node:util";
import { readListMember, memberOf } from "../../api/call/read.ts";
import { instant } from "../../backend/content/schema.ts";
import type { LanguageRows } from "../../backend/content/parse.ts";
import { SHARED_PROJECT, readStoredRows } from "../../backend/content/rows.ts";
import type { ContentRow, StoredContents } from "../../backend/storage/types.ts";
import type { YamlFile } from "../../yaml/yaml.ts";

/** The contents to be stored in one language. */
export interface LanguageImport {
  readonly language: string;
  readonly rows: readonly YamlFile[];
  /** The other parts of the files, such as categories. Each has the form of a content file. */
  readonly parts: readonly YamlFile[];
}

/** The effect of an import on one language. */
export interface LanguagePlan {
  readonly language: string;
  /** The rows to write: all rows if the language is replaced, otherwise those that change. */
  readonly write: readonly ContentRow[];
  /** The document of the other parts, which is stored beside the contents. */
  readonly document: unknown;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  /** False if the import changes nothing in the database. */
  readonly needed: boolean;
}

/** Lists the rows that the database would have after the import. */
export function rowsAfter(
  imports: readonly LanguageImport[],
  stored: StoredContents,
  replace: boolean,
): readonly LanguageRows[] {
  const replaced = new Set(replace ? imports.map(({ language }) => language) : []);
  const kept = readStoredRows(stored).map(({ language, rows, parts = [] }) => {
    const imported = imports.find((one) => one.language === language);
    const keepsParts = !replaced.has(language) || imported?.parts.length === 0;
    return { language, rows: replaced.has(language) ? [] : rows, parts: keepsParts ? parts : [] };
  });
  return [...kept, ...imports];
}

/**
 * Plans the import of a language.
 *
 * @param replace true if the import replaces all contents of the language
 * @param now milliseconds since the epoch, for rows that do not say when they were modified
 */
export function planLanguage(
  { language, rows, parts }: LanguageImport,
  stored: StoredContents,
  replace: boolean,
  now: number,
): LanguagePlan {
  const isInScope = (scope: { project: string; language: string }): boolean =>
    scope.project === SHARED_PROJECT && scope.language === language;
  const before = new Map(stored.rows.filter(isInScope).map((row) => [row.id, row]));
  const source = stored.sources.find(isInScope)?.document ?? {};
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const write: ContentRow[] = [];
  for (const { value } of rows) {
    const id = idOf(value);
    const old = before.get(id);
    const same = old !== undefined && isDeepStrictEqual(old.document, value);
    counts[old === undefined ? "added" : same ? "unchanged" : "changed"] += 1;
    if (same && replace) write.push({ id, document: value, modified: old.modified });
    if (!same) write.push({ id, document: value, modified: modifiedOf(value) ?? now });
  }
  const removed = replace ? before.size - counts.changed - counts.unchanged : 0;
  const document = parts.length === 0 ? source : mergeParts(parts);
  const needed =
    counts.added + counts.changed + removed > 0 || !isDeepStrictEqual(document, source);
  return { language, write, document, ...counts, removed, needed };
}

/** Merges the categories, customizations and synonyms of several files. */
function mergeParts(parts: readonly YamlFile[]): unknown {
  const joinLists = (key: string): readonly unknown[] =>
    parts.flatMap(({ value }) => readListMember(value, key));
  const customized = parts.map(({ value }) => memberOf(value, "customized"));
  return {
    categories: joinLists("categories"),
    customized: Object.assign({}, ...customized),
    synonyms: joinLists("synonyms"),
  };
}

function idOf(value: unknown): number {
  const id = memberOf(value, "id");
  return typeof id === "number" ? id : 0;
}

function modifiedOf(value: unknown): number | null {
  const written = instant.safeParse(memberOf(value, "modified"));
  return written.success ? written.data : null;
}
