import { join, relative } from "node:path";
import type {
  ContentDetails,
  ContentFields,
  ContentLanguage,
  ContentList,
  ContentSummary,
} from "../../../api/console-contents.ts";
import type { ContentQuery } from "../../../gateway/console/files.ts";
import type { ContentTarget, DraftedContents } from "./content-reader.ts";
import type { WrittenItem } from "./planned-contents.ts";

/** Lists the contents that match a search, including those that the draft removes. */
export function listContents(
  base: DraftedContents,
  { language, search, filter, category, limit }: ContentQuery,
): Omit<ContentList, "demo"> {
  const words = fold(search).split(/\s+/).filter(Boolean);
  const all = listAll(base);
  const found = all.filter(
    ({ fields, ...one }) =>
      (language === null || one.language === language) &&
      (category === null || fields.categories.includes(category)) &&
      (filter === null || fitsFilter(fields, one.draft, filter)) &&
      fits(fields, one.id, words),
  );
  return {
    languages: listLanguages(base, all),
    contents: found.slice(0, limit).map(summaryOf),
    total: found.length,
    findings: base.findings.filter(({ severity }) => severity !== "note"),
  };
}

/** Describes a content with all that the console shows of it; null if there is none. */
export function describeContent(
  base: DraftedContents,
  language: string,
  id: number,
): ContentDetails | null {
  const all = listAll(base);
  const found = all.find((one) => one.language === language && one.id === id);
  if (found === undefined) return null;
  const { fields, item, ...summary } = found;
  const change = changesOf(base).get(keyOf(language, id));
  const titles = new Map(
    all.filter((one) => one.language === language).map((one) => [one.id, one.fields.title]),
  );
  return {
    ...summary,
    fields,
    written: change === undefined ? fields : change.theirs,
    deleted: change?.theirs === null && change.before !== null && change.after !== null,
    others: item?.others ?? [],
    languages: all.filter((one) => one.id === id).map((one) => one.language),
    relatedTitles: Object.fromEntries(fields.related.map((one) => [one, titles.get(one) ?? ""])),
    findings: base.findings.filter(
      ({ content }) => content?.id === id && content.language === language,
    ),
  };
}

/** Finds the file of a content. A new content goes into the largest file of its language. */
export function findTarget(
  base: DraftedContents,
  folder: string,
  directory: string,
  language: string,
  id: number | null,
): ContentTarget {
  const all = listAll(base);
  const known = all.find((one) => one.language === language && one.id === id);
  const ids = all.map((one) => one.id);
  const [largest] = base.files
    .filter((one) => one.language === language)
    .toSorted((one, other) => other.items.length - one.items.length);
  const file =
    known?.file ??
    largest?.file ??
    relative(folder, join(directory, `contents.${language.toLowerCase()}.yaml`));
  return {
    id: id ?? ids.reduce((most, one) => Math.max(most, one), 0) + 1,
    file,
    exists: known !== undefined,
    isElsewhere: ids.includes(id ?? 0),
    stored: known !== undefined && known.file === null,
  };
}

interface Listed extends Pick<ContentSummary, "id" | "language" | "file" | "line" | "draft"> {
  readonly fields: ContentFields;
  readonly item: WrittenItem | null;
}

/** Lists all contents in the order of the files; those that the draft removes come last. */
function listAll(base: DraftedContents): readonly Listed[] {
  const changes = changesOf(base);
  const stored = new Set(base.stored.map(({ language, id }) => keyOf(language, id)));
  const written = base.files.flatMap(({ file, language, items }) =>
    items.flatMap((item): Listed[] => {
      const key = keyOf(language, item.id);
      if (stored.has(key)) return [];
      const change = changes.get(key);
      const draft = change === undefined ? null : change.theirs === null ? "added" : "changed";
      const { id, fields, first } = item;
      return [{ id, language, file, line: first, draft, fields, item }];
    }),
  );
  const removed = [...changes.values()].flatMap(
    ({ language, id, file, theirs, after }): Listed[] =>
      after === null && theirs !== null
        ? [{ id, language, file, line: 0, draft: "removed", fields: theirs, item: null }]
        : [],
  );
  const rows = base.stored.map(({ id, language, file, line, ...fields }): Listed => {
    const complete = { answer: [], related: [], ...fields };
    return { id, language, file, line, draft: null, fields: complete, item: null };
  });
  return [...written, ...rows, ...removed];
}

function summaryOf({ fields, id, language, file, line, draft }: Listed): ContentSummary {
  const { title, alternatives, categories, published, hidden, publishFrom, expires } = fields;
  const shown = { title, alternatives, categories, published, hidden, publishFrom, expires };
  return { id, language, file, line, draft, ...shown };
}

function changesOf({ planned }: DraftedContents) {
  const all = planned.flatMap(({ changes }) => changes);
  return new Map(all.map((one) => [keyOf(one.language, one.id), one]));
}

function keyOf(language: string, id: number): string {
  return `${language} ${id}`;
}

function fitsFilter(
  { published, publishFrom, expires }: ContentFields,
  draft: ContentSummary["draft"],
  filter: NonNullable<ContentQuery["filter"]>,
): boolean {
  if (filter === "draft") return draft !== null;
  if (filter === "offline") return !published;
  return publishFrom !== null || expires !== null;
}

function fits(fields: ContentFields, id: number, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const texts = [fields.title, ...fields.alternatives, ...fields.answer.map(stripTags)];
  const text = fold(`${id}\n${texts.join("\n")}`);
  return words.every((word) => text.includes(word));
}

function stripTags(html: string): string {
  return html.replaceAll(/<[^<>]*>/g, " ");
}

/** Removes letter case and accents, so that `ou` finds `où`. */
function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

function listLanguages(
  { files }: DraftedContents,
  all: readonly Listed[],
): readonly ContentLanguage[] {
  const tags = [...new Set([...files, ...all].map(({ language }) => language))];
  return tags.toSorted().map((language) => ({
    language,
    contents: all.filter((one) => one.language === language && one.draft !== "removed").length,
    categories: files.flatMap((one) => (one.language === language ? one.categories : [])),
  }));
}
