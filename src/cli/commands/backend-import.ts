import { existsSync } from "node:fs";
import { relative } from "node:path";
import { loadAllContent } from "../../backend/content/load.ts";
import { SHARED_PROJECT } from "../../backend/content/rows.ts";
import { isPostgresAddress } from "../../database-address.ts";
import { openStorage } from "../../backend/storage/open-storage.ts";
import type { ContentStore } from "../../backend/storage/types.ts";
import {
  createReporter,
  type Diagnostic,
  diagnosticsAsText,
  type Reporter,
} from "../../yaml/diagnostic.ts";
import { type Arguments, readChoice, createArgumentError } from "../command/arguments.ts";
import { readLanguage } from "../backend/read-language.ts";
import { findBackendPaths, databaseOptions } from "../backend/database-option.ts";
import type { Command, Terminal } from "../command/command.ts";
import {
  type LanguageImport,
  type LanguagePlan,
  planLanguage,
  rowsAfter,
} from "../content/plan.ts";
import { formatOf, type ImportSource, readImports } from "../content/read-imports.ts";
import { type BringOptions, bringContents } from "../content/bring-contents.ts";
import { columnOf } from "../content/csv-columns.ts";
import type { ImportFile } from "../../backend/content/import/imported/imported.ts";
import { isArchive, openImports } from "../content/open-imports.ts";
import {
  IMPORT_FORMAT_NAMES,
  IMPORT_FORMATS,
  isSheet,
  namesIn,
  recognizeFormat,
} from "../../backend/content/import/read-imported.ts";
import { createProgress, type Progress } from "../command/progress.ts";

const name = "backend import";
const OWN = "afterword";
const FORMATS = [OWN, ...IMPORT_FORMAT_NAMES] as const;

export const backendImportCommand: Command = {
  name,
  usage:
    "FILE… [--language L] [--from FORMAT] [--replace] [--dry-run] [--database ADDRESS] [--config FILE] [--content DIR]",
  options: [
    {
      name: "language",
      value: "L",
      help: "language of the contents of files that name none",
    },
    {
      name: "from",
      value: "FORMAT",
      help: `${FORMATS.join(", ")} (default: found by what is in the file)`,
    },
    {
      name: "replace",
      help: "write a content file anew; in the database: remove what it holds in these languages and the files do not",
    },
    { name: "dry-run", help: "check everything, say what would change, and write nothing" },
    ...databaseOptions,
    {
      name: "content",
      value: "DIR",
      help: "directory that the backend reads beside the database (default: config/backend)",
    },
  ],
  positionals: Infinity,
  async run(args, terminal) {
    if (args.positionals.length === 0) throw createArgumentError(name, "name a file to import");
    const language = languageOf(args);
    const { database, data } = findBackendPaths(args, terminal);
    const reporter = createReporter();
    const foreign = foreignOf(args, reporter);
    if (reporter.failed()) return refuse(reporter.diagnostics(), terminal);
    if (foreign === null) return await storeContents(args, language, database, terminal);
    const options = {
      ...foreign,
      given: args.positionals,
      language,
      content: args.one("content") ?? "config/backend",
      database,
      data,
      replace: args.has("replace"),
      dryRun: args.has("dry-run"),
    };
    return await bringContents(options, terminal);
  },
};

/** Stores contents in Afterword's own form in the database. */
async function storeContents(
  args: Arguments,
  language: string | null,
  database: string,
  terminal: Terminal,
): Promise<number> {
  const sources = sourcesOf(args);
  const replace = args.has("replace");
  const dryRun = args.has("dry-run");
  const progress = createProgress(terminal);

  const reporter = createReporter();
  const imports = await readImports(sources, language, reporter, progress);
  if ("without" in imports) {
    throw createArgumentError(
      name,
      `${imports.without} does not say which language it is in; add --language L`,
    );
  }
  if (!replace) refuseParts(imports, reporter);
  if (imports.length === 0 && reporter.failed()) return refuse(reporter.diagnostics(), terminal);

  // A trial leaves nothing behind, not even an empty database.
  const absent = dryRun && !isPostgresAddress(database) && !existsSync(database);
  const storage = absent ? null : await openStorage(database);
  try {
    const stored = (await storage?.contents.all()) ?? { revision: 0, sources: [], rows: [] };
    const rows = rowsAfter(imports, stored, replace);
    const directory = args.one("content") ?? "config/backend";
    const { content, diagnostics } = loadAllContent(directory, {
      rows,
      environment: null,
      reporter,
    });
    if (content === null) return refuse(diagnostics, terminal);
    progress.done("checked");
    const plans = imports.map((one) => planLanguage(one, stored, replace, Date.now()));
    if (storage !== null && !dryRun) await write(plans, storage.contents, replace, progress);
    const where = storage?.database.name ?? database;
    terminal.out(plans.map((plan) => lineFor(plan, where, dryRun)).join(""));
    return 0;
  } finally {
    await storage?.close();
  }
}

type Foreign = Pick<BringOptions, "files" | "format">;

/** Finds the files that another bot or program wrote; null for contents in Afterword's own form. */
function foreignOf(args: Arguments, reporter: Reporter): Foreign | null {
  const named = args.has("from") ? readChoice(args, "from", FORMATS) : null;
  if (named === OWN) return null;
  const files = openImports(args.positionals, reporter);
  // The reader of Afterword's own form reports the file's mistakes.
  if (files === null) return null;
  const format = named ?? recognizeFormat(files);
  if (format !== "other") return { files, format };
  const sheet = files.find(isSheet);
  if (sheet !== undefined) {
    const what = `${sheet.name} is ${IMPORT_FORMATS.sheet}, and another file is not: import them one after the other`;
    throw createArgumentError(name, what);
  }
  // A file without headings is no CSV of our own, and the reader of sheets says so in one sentence.
  if (files.length > 0 && files.every(isHeadless)) return { files, format: "sheet" };
  const holder = args.positionals.find(isArchive);
  if (holder === undefined || reporter.failed()) return null;
  throw createArgumentError(
    name,
    `"${holder}" holds nothing that is known here; add --from FORMAT`,
  );
}

/** True for a CSV file whose first line names no column of contents in Afterword's own form. */
function isHeadless(file: ImportFile): boolean {
  return (
    formatOf(file.name) === "csv" &&
    namesIn(file).every((name) => typeof columnOf(name) === "string")
  );
}

function sourcesOf(args: Arguments): readonly ImportSource[] {
  return args.positionals.map((file) => {
    const format = formatOf(file) ?? (args.one("from") === OWN ? "csv" : null);
    if (format !== null) return { file, format };
    throw createArgumentError(name, `"${file}" is nothing that is known here; add --from FORMAT`);
  });
}

function languageOf(args: Arguments): string | null {
  const written = args.one("language");
  return written === null ? null : readLanguage(name, written).toLowerCase();
}

/** Parts that belong to a whole language can only be replaced as a whole. */
function refuseParts(
  imports: readonly LanguageImport[],
  reporter: ReturnType<typeof createReporter>,
): void {
  for (const file of imports.flatMap(({ parts }) => parts)) {
    for (const key of Object.keys(file.value ?? {})) {
      const message = `${key} can only be stored with --replace, which puts the whole language in the place of what is there`;
      reporter.error(file.source, file.locate([key]), "invalid-value", message);
    }
  }
}

async function write(
  plans: readonly LanguagePlan[],
  contents: ContentStore,
  replace: boolean,
  progress: Progress,
): Promise<void> {
  for (const { language, write: rows, document, needed } of plans) {
    if (!needed) continue;
    const scope = { project: SHARED_PROJECT, language };
    const tell = (done: number, of: number): void =>
      progress.at(`${language}: ${done} of ${of} written`);
    if (replace) await contents.replace({ ...scope, document }, rows, tell);
    else await contents.upsert(scope, rows, tell);
    progress.done(`${language}: ${rows.length} of ${rows.length} written`);
  }
}

function lineFor(plan: LanguagePlan, database: string, dryRun: boolean): string {
  const { language, added, changed, unchanged, removed, needed } = plan;
  const counts = `${added} new, ${changed} changed, ${unchanged} as before, ${removed} removed`;
  const verb = dryRun ? "would go" : "written";
  const short = isPostgresAddress(database) ? database : relative(process.cwd(), database);
  return `${language}: ${counts}${needed ? ` (${verb} to ${short})` : ""}\n`;
}

function refuse(diagnostics: readonly Diagnostic[], terminal: Terminal): number {
  terminal.error(diagnosticsAsText(diagnostics));
  terminal.error("nothing was written\n");
  return 1;
}
