import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type {
  ImportedContentFile,
  ImportedContents,
  LeftBehind,
} from "../../../api/console-import.ts";
import type { Grant } from "../../../api/console-session.ts";
import type { WrittenContents } from "../../../backend/content/import/content-files.ts";
import type { ImportFile } from "../../../backend/content/import/imported/imported.ts";
import type { Omission } from "../../../backend/content/import/imported/omissions.ts";
import type { ImportPlan } from "../../../backend/content/import/plan-import.ts";
import { borrowsDemoContent } from "../../../config/load/embedded.ts";
import type { Config } from "../../../config/config.ts";
import { writeFiles } from "../../../config/edit/write-files.ts";
import type { ContentImportRequest } from "../../../gateway/console/files.ts";
import type { Refusal } from "../../../gateway/console/answer.ts";
import {
  refuseUnwritten,
  toUnwrittenFile,
  type UnwrittenFile,
} from "../../../gateway/console/refusals.ts";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import type { Diagnostic, Reporter } from "../../../yaml/diagnostic.ts";
import type { FileEditing, WrittenImport } from "./editing.ts";
import { findingOf } from "./text-files.ts";

export interface ContentImportParts {
  /** Finds the first id from this one that no content has had. */
  readonly findFreeId: (least: number) => Promise<number>;
  readonly publish: FileEditing["publishImport"];
}

/**
 * Imports contents in a thread, because a large file would delay requests.
 *
 * @param file the configuration's
 */
export function createContentImport(
  file: string,
  config: () => Config,
  { findFreeId, publish }: ContentImportParts,
) {
  // Two imports at once would choose the same ids and file names.
  let last: Promise<unknown> = Promise.resolve();
  const run = async (
    grant: Grant,
    request: ContentImportRequest,
  ): Promise<ImportedContents | Refusal> => {
    const { backend, sources } = config();
    const isDemo = borrowsDemoContent({ backend, sources });
    const folder = dirname(file);
    const directory = isDemo ? join(folder, "backend") : backend.content;
    const call = { ...request, folder, directory, isDemo, database: backend.database };
    const read = await thread.call({ ...call, least: await findFreeId(request.least) });
    if (read.fault !== null) return refuseUnwritten(read.fault);
    if (read.written === null) return read.contents;
    const written = { ...read.written, source: request.name };
    const answer = await publish(grant, written);
    return answer.kind === "refused" ? answer : { ...read.contents, written: true };
  };
  return {
    run(grant: Grant, request: ContentImportRequest) {
      const turn = last.then(async () => run(grant, request));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

interface ImportCall extends ContentImportRequest {
  readonly folder: string;
  readonly directory: string;
  readonly isDemo: boolean;
  /** The database whose ids are taken; null if there is none. */
  readonly database: string | null;
}

interface ReadImport {
  readonly contents: ImportedContents;
  /** The files to publish; null if there are none. */
  readonly written: Omit<WrittenImport, "source"> | null;
  /** Why the files beside the contents could not be written. */
  readonly fault: UnwrittenFile | null;
}

const does = "reads contents from elsewhere";

const thread = createThread<ImportCall, ReadImport>({
  module: new URL(import.meta.url),
  does,
  longest: 120_000,
  megabytes: 768,
  idleAfter: 10_000,
});

answerInThread(does, importContents);

async function importContents(call: ImportCall): Promise<ReadImport> {
  // The process that starts the thread does not load the parsers.
  const [{ createReporter }, imports, { planImport, readStored, stemOf }, { UNNAMED }, omissions] =
    await Promise.all([
      import("../../../yaml/diagnostic.ts"),
      import("../../../backend/content/import/read-imported.ts"),
      import("../../../backend/content/import/plan-import.ts"),
      import("../../../backend/content/import/imported/imported.ts"),
      import("../../../backend/content/import/imported/omissions.ts"),
    ]);
  const { describeOmission } = omissions;
  const { name, bytes, language, directory, database, isDemo, write, least } = call;
  const reporter = createReporter();
  const files = await openFile(name, bytes, reporter);
  const format = imports.recognizeFormat(files);
  if (reporter.failed() || format === "other") {
    return toUnwritten({ ...nothing, findings: toFindings(reporter.diagnostics(), call) });
  }
  const imported = imports.readImported(format, files, language, reporter);
  const needsLanguage =
    language === null && imported.contents.some(({ texts }) => texts.has(UNNAMED));
  const findings = toFindings(reporter.diagnostics(), call);
  const left = listLeft(imported.left, describeOmission);
  const read = { ...nothing, format, needsLanguage, findings, left };
  if (reporter.failed() || needsLanguage || imported.contents.length === 0)
    return toUnwritten(read);
  const stem = findFreeStem(directory, stemOf(name));
  const target = { directory, given: name, stem, language, replace: false, least };
  const rows = database === null ? [] : await readStored(database);
  const plan = planImport(imported, target, rows);
  if (!("files" in plan)) {
    return toUnwritten({ ...read, findings: [...findings, ...toFindings(plan, call)] });
  }
  const contents = {
    ...read,
    left: listLeft([...imported.left, ...plan.left], describeOmission),
    files: plan.files.map(({ file, contents: one }) => describeFile(file.file, one, call)),
    needsRestart: isDemo,
  };
  if (!write || plan.files.length === 0) return toUnwritten(contents);
  const fault = await writeFiles(plan.beside);
  if (fault !== null) {
    return { contents, written: null, fault: toUnwrittenFile(fault, call.folder) };
  }
  return { contents, written: await writtenOf(plan, format, call), fault: null };
}

function toUnwritten(contents: ImportedContents): ReadImport {
  return { contents, written: null, fault: null };
}

/** The files of a plan, and the hash that their directory will have with them. */
async function writtenOf(
  { files }: ImportPlan,
  format: string,
  { directory, isDemo }: ImportCall,
): Promise<Omit<WrittenImport, "source">> {
  const { readDirectory } = await import("../../../backend/content/read-directory.ts");
  const texts = files.map(({ file }) => file);
  const fresh = new Map(texts.map(({ file, text }) => [file, text]));
  const ids = files.flatMap(({ contents }) => contents.contents.map(({ id }) => id));
  return {
    files: texts,
    contents: isDemo ? null : readDirectory(directory, fresh).hash,
    format,
    last: ids.reduce((most, id) => Math.max(most, id), 0),
  };
}

const nothing: ImportedContents = {
  format: null,
  needsLanguage: false,
  files: [],
  left: [],
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
  const [{ reportForeign }, { isZip, unzip }, { isImportName }, { createSource, START }] =
    await Promise.all([
      import("../../../backend/content/import/foreign-file.ts"),
      import("../../../backend/content/import/unzip.ts"),
      import("../../../backend/content/import/read-imported.ts"),
      import("../../../yaml/source.ts"),
    ]);
  if (reportForeign({ name, bytes }, reporter)) return [];
  if (!isZip(bytes)) return [{ name, bytes }];
  const files = unzip(bytes, isImportName, maxUnpacked);
  if (!("message" in files)) return files;
  const params = files.code === "archive" ? {} : undefined;
  reporter.error(createSource(name, ""), START, files.code, files.message, null, params);
  return [];
}

/**
 * In bytes, of all files of an archive together. YAML takes up to eighty times as much memory, and
 * JSON thirty times: V8 ends the whole process when its memory runs out while JSON is parsed.
 */
const maxUnpacked = 4_194_304;

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

/** @param describe gives the sentence in English */
function listLeft(
  left: readonly Omission[],
  describe: (one: Omission) => string,
): readonly LeftBehind[] {
  return [...Map.groupBy(left, ({ code }) => code)].map(([code, all]) => ({
    code,
    count: all.length,
    parts: all.slice(0, maxParts).map((one) => {
      const { file, line, part, text = null, params = {} } = one;
      return { file, line, part, text, params, why: describe(one) };
    }),
  }));
}

/** The most parts that are listed for one reason. */
const maxParts = 100;

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
    first: contents.slice(0, maxShown).map(({ title, alternatives = [], answer }) => ({
      title,
      alternatives,
      answer: [answer].flat(),
    })),
  };
}

const maxShown = 5;
