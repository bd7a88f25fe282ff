import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import type { FileContent } from "../../../config/edit/write-files.ts";
import { findPackageRoot } from "../../../config/load/package-root.ts";
import { findSchemaDirectory } from "../../../config/edit/schema-directory.ts";
import { isPostgresAddress } from "../../../database-address.ts";
import { openStorage } from "../../storage/open-storage.ts";
import { createReporter, type Diagnostic } from "../../../yaml/diagnostic.ts";
import { createSource, START } from "../../../yaml/source.ts";
import { parseYaml } from "../../../yaml/yaml.ts";
import { listMissingEngineTexts } from "../engine-texts.ts";
import { compileDirectory } from "../load.ts";
import { readStoredRows } from "../rows.ts";
import type { LanguageRows } from "../parse.ts";
import { type DirectoryTexts, MAX_CONTENT_FILE_BYTES, readDirectory } from "../read-directory.ts";
import type { Content } from "../types.ts";
import {
  type KnownContents,
  type PresentContents,
  toContentFiles,
  toTitleKey,
  writeContentFile,
  type WrittenContents,
} from "./content-files.ts";
import type { Imported } from "./imported/imported.ts";
import type { Omission } from "./imported/omissions.ts";

/** The folder of imported contents, and the names of their files. */
export interface ImportTarget {
  /** The absolute directory that the backend reads. */
  readonly directory: string;
  /** The file that was imported, as the written ones name it. */
  readonly given: string;
  /** The beginning of the written files' names. */
  readonly stem: string;
  /** The language of texts whose files name none. */
  readonly language: string | null;
  /** True if existing files are overwritten. */
  readonly replace: boolean;
  /** The first id that a new content may have. Default 1. */
  readonly least?: number;
}

export interface ImportPlan {
  readonly files: readonly { readonly file: FileContent; readonly contents: WrittenContents }[];
  /**
   * Further files that an empty folder needs: the engine's texts, and a schema for editors.
   */
  readonly beside: readonly FileContent[];
  readonly left: readonly Omission[];
}

/** Reads the contents of the database, whose ids are taken. A missing database has none. */
export async function readStored(database: string): Promise<readonly LanguageRows[]> {
  if (!isPostgresAddress(database) && !existsSync(database)) return [];
  const storage = await openStorage(database);
  try {
    return readStoredRows(await storage.contents.all());
  } finally {
    await storage.close();
  }
}

/** Plans the files, or returns the reasons why the backend could not load them. */
export function planImport(
  imported: Imported,
  { directory, given, stem, language, replace, least = 1 }: ImportTarget,
  rows: readonly LanguageRows[],
): ImportPlan | readonly Diagnostic[] {
  const reporter = createReporter();
  const before = existsSync(directory)
    ? readDirectory(directory)
    : { contents: [], texts: [], unreadable: [], hash: "" };
  const texts = listMissingEngineTexts(directory);
  const withTexts = {
    ...before,
    texts: [...before.texts, ...texts.map(toSourceText)],
    unreadable: before.unreadable.filter(({ file }) => file !== join(directory, "texts")),
  };
  const { content, diagnostics } = compileDirectory(withTexts, { rows, environment: null });
  if (content === null) return diagnostics;
  const fileOf = (tag: string): string => join(directory, `${stem}.${tag}.yaml`);
  const known = knownIn(content, withTexts, stem);
  const nextId = Math.max(known.nextId, least);
  const { files, left } = toContentFiles(imported, language, { ...known, nextId });
  const { fromConfig, copies } = findSchemaDirectory(directory, findPackageRoot(), [
    "content.schema.json",
  ]);
  const written = files.map((contents) => {
    const comment = [
      `yaml-language-server: $schema=${fromConfig}/content.schema.json`,
      "",
      `Made of ${basename(given)} by \`afterword backend import\`. It is yours to change; docs/content.md explains every key.`,
    ];
    const file = fileOf(contents.language);
    return { file: { file, text: writeContentFile(contents, comment) }, contents };
  });
  for (const { file } of written) {
    if (replace || !existsSync(file.file)) continue;
    const message = "this file is there already";
    const hint = "--replace writes it anew; contents with the same title keep their ids.";
    reporter.error(createSource(file.file, ""), START, "unreadable", message, hint);
  }
  for (const { file } of written) {
    const size = new TextEncoder().encode(file.text).length;
    if (size <= MAX_CONTENT_FILE_BYTES) continue;
    const message = `this file would have ${size} bytes; at most ${MAX_CONTENT_FILE_BYTES} are read`;
    const hint =
      "Import it in parts, or number the rows and store it in the database: docs/content.md.";
    reporter.error(createSource(file.file, ""), START, "too-large", message, hint);
  }
  // A file that is too large takes long to check, and cannot be written anyway.
  if (reporter.failed()) return reporter.diagnostics();
  const names = new Set(written.map(({ file }) => file.file));
  const after: DirectoryTexts = {
    ...withTexts,
    contents: [
      ...withTexts.contents.filter((one) => !names.has(one.name)),
      ...written.map(({ file }) => ({ name: file.file, text: file.text })),
    ],
  };
  const checked = compileDirectory(after, { rows, environment: null, reporter });
  if (checked.content === null) return checked.diagnostics;
  const schemas = copies.filter(({ file }) => !existsSync(file));
  return { files: written, beside: [...texts, ...schemas], left };
}

function toSourceText({ file, text }: FileContent): DirectoryTexts["texts"][number] {
  return { name: file, text, locale: basename(file).replace(/\.ya?ml$/iu, "") };
}

/** Makes a file name that needs no quotes anywhere. */
export function stemOf(given: string): string {
  const base = basename(resolve(given)).replace(/\.(?:csv|tsv|txt|json|ya?ml|zip)$/iu, "");
  const plain = base
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/gu, "");
  const short = Array.from(plain).slice(0, LONGEST_STEM).join("");
  return short === "" ? "imported" : short;
}

/** A file name has at most 255 bytes, up to 4 for a character; a language and an ending follow. */
const LONGEST_STEM = 50;

/** Lists the ids that are taken, and those of contents in the files that are replaced. */
function knownIn(content: Content, { contents }: DirectoryTexts, stem: string): KnownContents {
  const languages = [...content.languages];
  const ids = languages.flatMap(([, { items }]) => items.map(({ id }) => id));
  const categories = languages.flatMap(([, { categories: all }]) => all.map(({ id }) => id));
  const kept = new Map<string, number>();
  for (const { name: file, text } of contents) {
    if (!basename(file).startsWith(`${stem}.`)) continue;
    const value = parseYaml(createSource(file, text), createReporter())?.value;
    const language = readTextMember(value, "language") ?? "";
    const isReplaced = basename(file).toLowerCase() === `${stem}.${language}.yaml`.toLowerCase();
    if (!isReplaced) continue;
    for (const one of readListMember(value, "contents")) {
      const id = memberOf(one, "id");
      const title = readTextMember(one, "title");
      if (typeof id === "number" && title !== null) kept.set(toTitleKey(language, title), id);
    }
  }
  const present = presentIn(content, kept);
  return { nextId: nextOf(ids), nextCategory: nextOf(categories), kept, present };
}

/** Collects the contents of each language, without those whose files are replaced. */
function presentIn(
  { languages }: Content,
  kept: KnownContents["kept"],
): ReadonlyMap<string, PresentContents> {
  return new Map(
    [...languages].map(([language, { items }]) => {
      const staying = items.filter(({ id, title }) => kept.get(toTitleKey(language, title)) !== id);
      const byTitle = new Map(staying.map((item) => [toTitleKey(language, item.title), item]));
      return [language, { byTitle, ids: new Set(staying.map(({ id }) => id)) }];
    }),
  );
}

function nextOf(ids: readonly number[]): number {
  return ids.reduce((most, id) => Math.max(most, id), 0) + 1;
}
