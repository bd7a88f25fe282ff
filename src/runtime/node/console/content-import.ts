import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { ImportedContentFile, ImportedContents } from "../../../api/console-import.ts";
import type { WrittenContents } from "../../../backend/content/import/content-files.ts";
import type { ImportFile, Omission } from "../../../backend/content/import/imported.ts";
import { borrowsDemoContent } from "../../../config/load/embedded.ts";
import type { Config } from "../../../config/config.ts";
import { writeFiles } from "../../../config/edit/write-files.ts";
import type { ContentImportRequest } from "../../../gateway/console/files.ts";
import type { UnwrittenFile } from "../../../gateway/console/refusals.ts";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import type { Diagnostic, Reporter } from "../../../yaml/diagnostic.ts";
import { findingOf } from "./text-files.ts";

/** Imports contents in a thread, because a large file would delay requests. */
export interface ContentImport {
  run(request: ContentImportRequest): Promise<ImportedContents | UnwrittenFile>;
  close(): Promise<void>;
}

/**
 * @param file the configuration's
 * @param findFreeId finds the first unused id from `least` on
 */
export function createContentImport(
  file: string,
  config: () => Config,
  findFreeId: (least: number) => Promise<number>,
): ContentImport {
  const thread = createThread<ImportCall, ImportedContents | UnwrittenFile>({
    module: new URL(import.meta.url),
    does,
    longest: 120_000,
    megabytes: 768,
    idleAfter: 10_000,
  });
  // Two imports at once would choose the same ids and file names.
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(request) {
      const { backend, sources } = config();
      const isDemo = borrowsDemoContent({ backend, sources });
      const folder = dirname(file);
      const directory = isDemo ? join(folder, "backend") : backend.content;
      const call = { ...request, folder, directory, isDemo, database: backend.database };
      const turn = last.then(async () =>
        thread.call({ ...call, least: await findFreeId(request.least) }),
      );
      last = turn.catch(() => undefined);
      return turn;
    },
    close: () => thread.close(),
  };
}

interface ImportCall extends ContentImportRequest {
  readonly folder: string;
  readonly directory: string;
  readonly isDemo: boolean;
  /** The database whose ids are taken; null: there is none. */
  readonly database: string | null;
}

const does = "reads contents from elsewhere";

answerInThread(does, importContents);

async function importContents(call: ImportCall): Promise<ImportedContents | UnwrittenFile> {
  // The process that starts the thread does without the parsers.
  const [{ createReporter }, imports, { planImport, readStored, stemOf }, { UNNAMED }] =
    await Promise.all([
      import("../../../yaml/diagnostic.ts"),
      import("../../../backend/content/import/read-imported.ts"),
      import("../../../backend/content/import/plan-import.ts"),
      import("../../../backend/content/import/imported.ts"),
    ]);
  const { name, bytes, language, directory, database, isDemo, write, least } = call;
  const reporter = createReporter();
  const files = await openFile(name, bytes, reporter);
  const format = imports.recognizeFormat(files);
  if (reporter.failed() || format === "other") {
    return { ...nothing, findings: toFindings(reporter.diagnostics(), call) };
  }
  const imported = imports.readImported(format, files, language, reporter);
  const needsLanguage =
    language === null && imported.contents.some(({ texts }) => texts.has(UNNAMED));
  const findings = toFindings(reporter.diagnostics(), call);
  const read = { ...nothing, format, needsLanguage, findings, ...listLeft(imported.left) };
  if (reporter.failed() || needsLanguage || imported.contents.length === 0) return read;
  const stem = findFreeStem(directory, stemOf(name));
  const target = { directory, given: name, stem, language, replace: false, least };
  const rows = database === null ? [] : await readStored(database);
  const plan = planImport(imported, target, rows);
  if (!("files" in plan)) {
    return { ...read, findings: [...findings, ...toFindings(plan, call)] };
  }
  const failure = write
    ? await writeFiles([...plan.files.map(({ file }) => file), ...plan.beside])
    : null;
  if (failure !== null) {
    const why = failure.message.replaceAll(`${call.folder}/`, "");
    return { code: failure.code, file: relative(call.folder, failure.file), why };
  }
  return {
    ...read,
    ...listLeft([...imported.left, ...plan.left]),
    files: plan.files.map(({ file, contents }) => describeFile(file.file, contents, call)),
    written: write,
    needsRestart: isDemo,
  };
}

const nothing: ImportedContents = {
  format: null,
  needsLanguage: false,
  files: [],
  left: [],
  leftTotal: 0,
  findings: [],
  written: false,
  needsRestart: false,
};

/** Returns the file itself, or the files of an archive. */
async function openFile(
  name: string,
  bytes: Uint8Array,
  reporter: Reporter,
): Promise<readonly ImportFile[]> {
  const [{ isZip, unzip }, { isImportName }, { createSource, START }] = await Promise.all([
    import("../../../backend/content/import/unzip.ts"),
    import("../../../backend/content/import/read-imported.ts"),
    import("../../../yaml/source.ts"),
  ]);
  if (!isZip(bytes)) return [{ name, bytes }];
  const files = unzip(bytes, isImportName, mostUnpacked);
  if (typeof files !== "string") return files;
  reporter.error(createSource(name, ""), START, "unreadable", files);
  return [];
}

/**
 * In bytes, of all files of an archive together. YAML takes up to eighty times as much memory, and
 * JSON thirty times: V8 ends the whole process when its memory runs out while JSON is parsed.
 */
const mostUnpacked = 4_194_304;

/** Finds a stem that no file of the directory has, so that no file of the owner is overwritten. */
function findFreeStem(directory: string, stem: string): string {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const isTaken = (one: string): boolean => names.some((name) => name.startsWith(`${one}.`));
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? stem : `${stem}-${count}`;
    if (!isTaken(free)) return free;
  }
}

function toFindings(found: readonly Diagnostic[], { folder, name }: ImportCall) {
  return found.map((one) => ({
    ...findingOf(one, folder),
    // An uploaded file is not in the folder.
    file: one.file.startsWith(folder) ? relative(folder, one.file) : one.file || name,
  }));
}

function listLeft(left: readonly Omission[]) {
  return { left: left.slice(0, mostLeft), leftTotal: left.length };
}

const mostLeft = 200;

function describeFile(
  file: string,
  { language, contents }: WrittenContents,
  { folder }: ImportCall,
): ImportedContentFile {
  return {
    language,
    file: relative(folder, file),
    contents: contents.length,
    phrases: contents.reduce((sum, { alternatives = [] }) => sum + 1 + alternatives.length, 0),
    unpublished: contents.filter(({ published }) => published === false).length,
    hidden: contents.filter((one) => one.hidden === true && one.published !== false).length,
    first: contents.slice(0, mostShown).map(({ title, alternatives = [], answer }) => ({
      title,
      alternatives,
      answer: [answer].flat(),
    })),
  };
}

const mostShown = 5;
