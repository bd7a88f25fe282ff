import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WrittenContents } from "../../backend/content/import/content-files.ts";
import { planImport, readStored, stemOf } from "../../backend/content/import/plan-import.ts";
import { type ImportFile, UNNAMED } from "../../backend/content/import/imported/imported.ts";
import {
  describeOmission,
  type Omission,
} from "../../backend/content/import/imported/omissions.ts";
import {
  IMPORT_FORMATS,
  type ImportFormat,
  readImported,
} from "../../backend/content/import/read-imported.ts";
import { writeFiles } from "../../config/edit/write-files.ts";
import { findFreeId } from "../../runtime/node/console/content-drafts.ts";
import { CONSOLE_FILE, openConsoleDatabase } from "../../runtime/node/console/store.ts";
import { createReporter, type Diagnostic, diagnosticsAsText } from "../../yaml/diagnostic.ts";
import { createArgumentError } from "../command/arguments.ts";
import type { Terminal } from "../command/command.ts";
import { formatCount } from "../command/counted.ts";
import { shortenPath } from "../command/shortened.ts";

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
  /** The directory of the console's database, whose drafts have ids too. */
  readonly data: string;
  readonly replace: boolean;
  readonly dryRun: boolean;
}

/**
 * Makes content files from another bot's or program's files, one for each language, and lists
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
  const [given = ""] = options.given;
  const least = await findLeastId(options.data);
  const target = { directory, given, stem: stemOf(given), language, replace, least };
  const plan = planImport(imported, target, rows);
  if (!("files" in plan)) return refuse(plan, terminal);
  if (plan.files.length === 0) {
    terminal.out(formatLeft([...imported.left, ...plan.left]));
    terminal.error("All of its questions are among your contents already. Nothing was written.\n");
    return 0;
  }
  // Contents come last: without the engine's texts they could not be loaded.
  const written = [...plan.beside, ...plan.files.map(({ file }) => file)];
  const failure = dryRun ? null : await writeFiles(written);
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

/** The first id that neither a draft of the console nor one of its earlier contents has. */
async function findLeastId(data: string): Promise<number> {
  const file = join(data, CONSOLE_FILE);
  if (!existsSync(file)) return 1;
  const database = await openConsoleDatabase(file);
  try {
    return await findFreeId(database, 1);
  } finally {
    await database.close();
  }
}

function refuse(found: readonly Diagnostic[], terminal: Terminal): number {
  terminal.error(diagnosticsAsText(found.filter(({ severity }) => severity === "error")));
  terminal.error("nothing was written\n");
  return 1;
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

function formatLeft(left: readonly Omission[]): string {
  if (left.length === 0) return "";
  const lines = [...Map.groupBy(left, describeOmission)].flatMap(([sentence, parts]) => {
    const places = parts.map(formatPart);
    if (places.length === 1) return [`  ${places.join("")}: ${sentence}\n`];
    return [`  ${places.length} × ${sentence}\n`, ...places.map((place) => `    ${place}\n`)];
  });
  return `${formatCount(left.length, "thing")} did not come over as in the file:\n${lines.join("")}`;
}

function formatPart({ file, line, part, text }: Omission): string {
  const place = line === null ? file : `${file}:${line}`;
  const named = part === null ? place : `${place}: ${part}`;
  return (text ?? "") === "" ? named : `${named} “${text}”`;
}
