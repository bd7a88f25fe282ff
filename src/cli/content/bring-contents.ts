import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { compileDirectory } from "../../backend/content/load.ts";
import {
  writeContentFile,
  type KnownContents,
  toTitleKey,
  toContentFiles,
  type WrittenContents,
} from "../../backend/content/import/content-files.ts";
import {
  type Imported,
  type ImportFile,
  type Left,
  UNNAMED,
} from "../../backend/content/import/imported.ts";
import {
  IMPORT_FORMATS,
  type ImportFormat,
  readImported,
} from "../../backend/content/import/read-imported.ts";
import {
  type DirectoryTexts,
  MAX_CONTENT_FILE_BYTES,
  readDirectory,
} from "../../backend/content/read-directory.ts";
import { readStoredRows } from "../../backend/content/rows.ts";
import type { Content } from "../../backend/content/types.ts";
import { openStorage } from "../../backend/storage/open-storage.ts";
import type { LanguageRows } from "../../backend/content/parse.ts";
import { type FileContent, writeFiles } from "../../config/edit/write-files.ts";
import { findPackageRoot } from "../../config/load/package-root.ts";
import { isPostgresAddress } from "../../database-address.ts";
import { createReporter, type Diagnostic, diagnosticsAsText } from "../../yaml/diagnostic.ts";
import { createSource, START } from "../../yaml/source.ts";
import { parseYaml } from "../../yaml/yaml.ts";
import { readListMember, memberOf, readTextMember } from "../../api/call/read.ts";
import { listMissingEngineTexts } from "../../backend/content/engine-texts.ts";
import { createArgumentError } from "../command/arguments.ts";
import type { Terminal } from "../command/command.ts";
import { formatCount } from "../command/counted.ts";
import { shortenPath } from "../command/shortened.ts";
import { findSchemaPlace } from "../../config/load/schema-place.ts";

const name = "backend import";

export interface BringOptions {
  /** The files that were given on the command line; the first names those that are written. */
  readonly given: readonly string[];
  readonly files: readonly ImportFile[];
  readonly format: ImportFormat;
  readonly language: string | null;
  /** Directory that the backend reads. */
  readonly content: string;
  /** Database whose contents' ids are taken. */
  readonly database: string;
  readonly replace: boolean;
  readonly dryRun: boolean;
}

/**
 * Makes content files of another bot's or program's files, one for each language, and lists
 * everything that did not come over unchanged. Resolves with the exit code.
 */
export async function bringContents(options: BringOptions, terminal: Terminal): Promise<number> {
  const { format, files, language, replace, dryRun } = options;
  const directory = resolve(options.content);
  const reporter = createReporter();
  const imported = readImported(format, files, language, reporter);
  if (reporter.failed()) return refuse(reporter.diagnostics(), terminal);
  terminal.error(diagnosticsAsText(reporter.diagnostics()));
  terminal.error(`${shortenPath(options.given[0] ?? "")}: ${IMPORT_FORMATS[format]}\n`);
  const isUnnamed = imported.contents.some(({ texts }) => texts.has(UNNAMED));
  if (isUnnamed && language === null) {
    const what = `${options.given[0] ?? ""} does not say which language it is in; add --language L`;
    throw createArgumentError(name, what);
  }
  if (imported.contents.length === 0) {
    terminal.out(formatLeft(imported.left));
    terminal.error("No question with an answer was found. Nothing was written.\n");
    return 1;
  }
  const rows = await readStored(options.database);
  const plan = planFiles(imported, options, directory, rows);
  if (!("files" in plan)) return refuse(plan, terminal);
  const failure = dryRun
    ? null
    : await writeFiles([...plan.files.map(({ file }) => file), ...plan.beside]);
  if (failure !== null) {
    terminal.error(`afterword ${name}: ${failure.message}\n`);
    return 1;
  }
  const verb = dryRun ? "would be written to" : replace ? "written anew to" : "written to";
  for (const { file, contents } of plan.files) {
    terminal.out(
      `${contents.language}: ${countsOf(contents)} (${verb} ${shortenPath(file.file)})\n`,
    );
  }
  terminal.out(formatLeft([...imported.left, ...plan.left]));
  return 0;
}

function refuse(found: readonly Diagnostic[], terminal: Terminal): number {
  terminal.error(diagnosticsAsText(found.filter(({ severity }) => severity === "error")));
  terminal.error("nothing was written\n");
  return 1;
}

interface Plan {
  readonly files: readonly { readonly file: FileContent; readonly contents: WrittenContents }[];
  /**
   * Further files that a folder needs with its first contents: the engine's texts, and a schema for
   * editors.
   */
  readonly beside: readonly FileContent[];
  readonly left: readonly Left[];
}

/** Reads the contents of the database, whose ids are taken. A missing database has none. */
async function readStored(database: string): Promise<readonly LanguageRows[]> {
  if (!isPostgresAddress(database) && !existsSync(database)) return [];
  const storage = await openStorage(database);
  try {
    return readStoredRows(await storage.contents.all());
  } finally {
    await storage.close();
  }
}

/** Makes the files as they will be written, or says why they would not load. */
function planFiles(
  imported: Imported,
  { given, language, replace }: BringOptions,
  directory: string,
  rows: readonly LanguageRows[],
): Plan | readonly Diagnostic[] {
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
  const stem = stemOf(given[0] ?? "");
  const fileOf = (tag: string): string => join(directory, `${stem}.${tag}.yaml`);
  const { files, left } = toContentFiles(imported, language, knownIn(content, withTexts, stem));
  const { fromConfig, copies } = findSchemaPlace(directory, findPackageRoot(), [
    "content.schema.json",
  ]);
  const written = files.map((contents) => {
    const comment = [
      `yaml-language-server: $schema=${fromConfig}/content.schema.json`,
      "",
      `Made of ${basename(given[0] ?? "")} by \`afterword backend import\`. It is yours to change; docs/content.md explains every key.`,
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
function stemOf(given: string): string {
  const base = basename(resolve(given)).replace(/\.(?:csv|tsv|txt|json|ya?ml|zip)$/iu, "");
  const plain = base
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/gu, "");
  return plain === "" ? "imported" : plain;
}

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
    for (const one of readListMember(value, "contents")) {
      const id = memberOf(one, "id");
      const title = readTextMember(one, "title");
      if (typeof id === "number" && title !== null) kept.set(toTitleKey(language, title), id);
    }
  }
  return { nextId: nextOf(ids), nextCategory: nextOf(categories), kept };
}

function nextOf(ids: readonly number[]): number {
  return ids.reduce((most, id) => Math.max(most, id), 0) + 1;
}

function countsOf({ contents }: WrittenContents): string {
  const phrases = contents.reduce((sum, { alternatives = [] }) => sum + 1 + alternatives.length, 0);
  const unpublished = contents.filter(({ published }) => published === false).length;
  const hidden = contents.filter((one) => one.hidden === true && one.published !== false).length;
  const notes = [
    ...(hidden === 0 ? [] : [`${hidden} of them hidden`]),
    ...(unpublished === 0 ? [] : [`${unpublished} of them not published`]),
  ];
  const counts = `${formatCount(contents.length, "content")} with ${formatCount(phrases, "phrase")}`;
  return [counts, ...notes].join(", ");
}

function formatLeft(left: readonly Left[]): string {
  if (left.length === 0) return "";
  const lines = left.map(({ file, line, what, why }) => {
    return `  ${file}${line === null ? "" : `:${line}`}: ${what}: ${why}\n`;
  });
  return `${formatCount(left.length, "thing")} did not come over as in the file:\n${lines.join("")}`;
}
