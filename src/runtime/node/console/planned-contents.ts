import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import { join, relative } from "node:path";
import type {
  ContentChange,
  ContentFields,
  ContentFinding,
  ContentLanguage,
  ContentNames,
} from "../../../api/console-contents.ts";
import type { Finding } from "../../../api/console.ts";
import { memberOf, readTextMember } from "../../../api/call/read.ts";
import {
  CONTENT_FIELDS,
  type ContentEdit,
  readContentFields,
} from "../../../backend/content/content-fields.ts";
import { editContents } from "../../../backend/content/edit-contents.ts";
import type { DirectoryTexts } from "../../../backend/content/read-directory.ts";
import { toCanonicalTag } from "../../../config/schema/values.ts";
import { textOf } from "../../../config/edit/write-files.ts";
import { formatUnifiedDiff } from "../../../gateway/console/unified-diff.ts";
import { createReporter } from "../../../yaml/diagnostic.ts";
import { createSource, positionAt } from "../../../yaml/source.ts";
import { parseYaml, type YamlFile } from "../../../yaml/yaml.ts";

/** A change of a content as a draft keeps it. */
export interface ContentDraft extends ContentEdit {
  readonly language: string;
  /** Below the configuration's folder. */
  readonly file: string;
}

/** A content file with the changes that belong to it. */
export interface PlannedContents {
  readonly file: string;
  /** Null if there is none yet. */
  readonly before: string | null;
  /** Null if the changes could not be put in. */
  readonly after: string | null;
  readonly diff: string;
  readonly changes: readonly ContentChange[];
}

interface UnnamedPlan extends Omit<PlannedContents, "changes"> {
  readonly changes: readonly Omit<ContentChange, "names">[];
}

/**
 * Plans the owner's files with the changes of a draft.
 *
 * @param bases the files when the changes were begun, where they are known
 */
export function planContents(
  folder: string,
  drafts: readonly ContentDraft[],
  bases: Readonly<Record<string, string | null>>,
): { readonly files: readonly UnnamedPlan[]; readonly faults: readonly ContentFinding[] } {
  const faults: ContentFinding[] = [];
  const files = [...Map.groupBy(drafts, ({ file }) => file)].map(([file, ofFile]): UnnamedPlan => {
    const before = textOf(join(folder, file));
    const base = bases[file] === undefined ? before : bases[file];
    const [old, theirs] = [readItems(base), readItems(before)];
    const edits = ofFile.map((one) => withLost(one, old.get(one.id), theirs.get(one.id)));
    const [first] = ofFile;
    const after = write(before ?? `language: ${first?.language ?? ""}\n`, edits);
    if (after === null && first !== undefined) {
      faults.push({ ...UNWRITABLE, file, content: { language: first.language, id: first.id } });
    }
    const will = after === null ? theirs : readItems(after);
    return {
      file,
      before,
      after,
      diff: after === null ? "" : formatUnifiedDiff(file, before, after),
      changes: ofFile.map(({ language, id, fields }) => {
        const now = theirs.get(id) ?? null;
        return {
          language,
          id,
          file,
          before: old.get(id) ?? null,
          theirs: now,
          after:
            after === null && fields !== null
              ? { ...readContentFields(now), ...fields }
              : (will.get(id) ?? null),
        };
      }),
    };
  });
  return { files, faults };
}

/** Finds the fields that a draft changes: those that differ from what the file has. */
export function findDifferingFields(
  before: ContentFields | null,
  after: ContentFields,
): Partial<ContentFields> {
  if (before === null) return after;
  const differing = CONTENT_FIELDS.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(differing.map((name) => [name, after[name]]));
}

/** Lists the contents that differ between two versions of a file. */
export function compareContents(
  before: string | null,
  after: string | null,
): readonly Omit<ContentChange, "file" | "theirs">[] {
  const [textBefore, text] = [withoutMark(before), withoutMark(after)];
  const [old, fresh] = [readItems(before), readItems(after)];
  const language = languageIn(after) ?? languageIn(before);
  if (language === null) return [];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((id) => {
    const [was = null, is = null] = [old.get(id), fresh.get(id)];
    if (isDeepStrictEqual(was, is)) return [];
    const change = { language, id, before: was, after: is };
    return [{ ...change, names: findNames(change, [...locateIn(text), ...locateIn(textBefore)]) }];
  });
}

/** Finds the names of what a change names by id, in the files of its language. */
export function findNames(
  { language, before, after }: Pick<ContentChange, "language" | "before" | "after">,
  files: readonly Omit<WrittenFile, "file">[],
): ContentNames {
  const own = files.filter((one) => one.language === language);
  const ids = {
    categories: new Set([before, after].flatMap((one) => one?.categories ?? [])),
    related: new Set([before, after].flatMap((one) => one?.related ?? [])),
  };
  const categories = own
    .flatMap((one) => one.categories)
    .filter(({ id }) => ids.categories.has(id));
  const related = own.flatMap(({ items }) => items).filter(({ id }) => ids.related.has(id));
  // The first of several with one id counts.
  return {
    categories: Object.fromEntries(categories.toReversed().map(({ id, name }) => [id, name])),
    related: Object.fromEntries(related.toReversed().map((one) => [one.id, one.fields.title])),
  };
}

/** A content as it stands in a file. */
export interface WrittenItem {
  readonly id: number;
  readonly value: unknown;
  readonly fields: ContentFields;
  /** Lines, from 1; 0 for one that only a draft has. */
  readonly first: number;
  readonly last: number;
  readonly others: readonly { readonly key: string; readonly line: number }[];
}

/** A content file with the positions of its contents. */
export interface WrittenFile {
  /** Below the configuration's folder. */
  readonly file: string;
  readonly language: string;
  readonly categories: ContentLanguage["categories"];
  readonly items: readonly WrittenItem[];
}

/** Locates every content of a directory; in files with mistakes, as far as possible. */
export function locateContents(
  folder: string,
  { contents }: Pick<DirectoryTexts, "contents">,
): readonly WrittenFile[] {
  return contents.flatMap(({ name, text }): WrittenFile[] => {
    const file = relative(folder, name);
    return locateIn(text).map((one) => ({ file, ...one }));
  });
}

/**
 * The latest texts as they were read. Parsing takes most of the time, and a change of a content is
 * planned with the same few texts again and again.
 */
const located = new LRUCache<string, readonly Omit<WrittenFile, "file">[]>({
  maxSize: 16_000_000,
  sizeCalculation: (_, text) => text.length + 1,
});

/** Assigns each finding to its content. */
export function assignFindings(
  findings: readonly Finding[],
  files: readonly WrittenFile[],
): readonly ContentFinding[] {
  return findings.map((finding) => {
    const found = files.find(({ file }) => file === finding.file);
    const item = found?.items.find(
      ({ first, last }) => first <= finding.line && finding.line <= last,
    );
    if (found === undefined || item === undefined) return finding;
    return { ...finding, content: { language: found.language, id: item.id } };
  });
}

function locateIn(text: string): readonly Omit<WrittenFile, "file">[] {
  const known = located.get(text) ?? locate(text);
  located.set(text, known);
  return known;
}

function locate(text: string): readonly Omit<WrittenFile, "file">[] {
  const yaml = parseYaml(createSource("", text), createReporter());
  const language = yaml === null ? null : canonicalOf(yaml.value);
  if (yaml === null || language === null) return [];
  const list = memberOf(yaml.value, "contents");
  const items = (Array.isArray(list) ? list : []).flatMap(
    (value: unknown, index): WrittenItem[] => {
      const id = memberOf(value, "id");
      if (typeof id !== "number") return [];
      const { start, end } = yaml.locate(["contents", index]);
      return [
        {
          id,
          value,
          fields: readContentFields(value),
          first: positionAt(yaml.source, start).line,
          last: positionAt(yaml.source, Math.max(start, end - 1)).line,
          others: listOthers(yaml, index, value),
        },
      ];
    },
  );
  return [{ language, categories: listCategories(yaml.value), items }];
}

function listCategories(file: unknown): ContentLanguage["categories"] {
  const list = memberOf(file, "categories");
  return (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const [id, parent] = [memberOf(one, "id"), memberOf(one, "parent")];
    const name = readTextMember(one, "name");
    if (typeof id !== "number" || name === null) return [];
    return [{ id, name, parent: typeof parent === "number" ? parent : null }];
  });
}

function listOthers(yaml: YamlFile, index: number, value: unknown): WrittenItem["others"] {
  const known: ReadonlySet<string> = new Set(["id", ...CONTENT_FIELDS]);
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return keys
    .filter((key) => !known.has(key))
    .map((key) => {
      const { start } = yaml.locate(["contents", index, key], "key");
      return { key, line: positionAt(yaml.source, start).line };
    });
}

/**
 * If somebody has removed a content from the file meanwhile, its change keeps the former fields.
 */
function withLost(
  edit: ContentDraft,
  before: ContentFields | undefined,
  theirs: ContentFields | undefined,
): ContentEdit {
  const isLost = edit.fields !== null && before !== undefined && theirs === undefined;
  return isLost ? { ...edit, fields: { ...before, ...edit.fields } } : edit;
}

function write(text: string, edits: readonly ContentEdit[]): string | null {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const edited = editContents(text.slice(mark.length), edits);
  return edited === null ? null : mark + edited;
}

function readItems(text: string | null): ReadonlyMap<number, ContentFields> {
  const [written] = locateIn(withoutMark(text));
  return new Map((written?.items ?? []).map(({ id, fields }) => [id, fields]));
}

function languageIn(text: string | null): string | null {
  const yaml = parseYaml(createSource("", withoutMark(text)), createReporter());
  return canonicalOf(yaml?.value);
}

function withoutMark(text: string | null): string {
  return text?.replace(/^\ufeff/, "") ?? "";
}

function canonicalOf(value: unknown): string | null {
  const language = readTextMember(value, "language");
  return language === null ? null : toCanonicalTag(language);
}

const UNWRITABLE = {
  severity: "error",
  code: "invalid-value",
  message:
    "the change does not fit into this file, which is written in an unusual way: change it by hand",
  line: 1,
  column: 1,
} as const;
