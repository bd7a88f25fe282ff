import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type ImportFile,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_FILES,
} from "../../backend/content/import/imported/imported.ts";
import { isImportName } from "../../backend/content/import/read-imported.ts";
import { reportForeign } from "../../backend/content/import/foreign-file.ts";
import { isZip, unzip } from "../../backend/content/import/unzip.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { readBytes, reasonOf } from "../../yaml/read-file.ts";
import { createSource, START } from "../../yaml/source.ts";

/**
 * Reads what is named on the command line: files, folders with all that may hold contents, and ZIP
 * archives. What cannot be read is reported. Null for a file too large for anything but contents
 * in Afterword's own form.
 */
export function openImports(
  given: readonly string[],
  reporter: Reporter,
): readonly ImportFile[] | null {
  const files: ImportFile[] = [];
  for (const path of given) {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts?.isDirectory() === true) {
      files.push(...filesIn(path, reporter));
      continue;
    }
    if ((facts?.size ?? 0) > MAX_IMPORT_BYTES) return null;
    const bytes = readBytes(path, MAX_IMPORT_BYTES, reporter);
    if (bytes === null || reportForeign({ name: path, bytes }, reporter)) continue;
    files.push(...(isZip(bytes) ? filesOf(path, bytes, reporter) : [{ name: path, bytes }]));
  }
  return files;
}

/** True for a name that is no single file in Afterword's own form. */
export function isArchive(path: string): boolean {
  return /\.zip$/iu.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function filesOf(path: string, bytes: Uint8Array, reporter: Reporter): readonly ImportFile[] {
  const files = unzip(bytes, isImportName);
  if ("message" in files) {
    reporter.error(createSource(path, ""), START, files.code, files.message);
    return [];
  }
  return files.map((file) => ({ ...file, name: `${path}/${file.name}` }));
}

function filesIn(folder: string, reporter: Reporter): readonly ImportFile[] {
  try {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((name) => isImportName(name.slice(folder.length)))
      .toSorted();
    if (names.length > MAX_IMPORT_FILES) {
      const message = `this folder has ${names.length} files; at most ${MAX_IMPORT_FILES} are read`;
      reporter.error(createSource(folder, ""), START, "too-large", message);
      return [];
    }
    return names.flatMap((name) => {
      const bytes = readBytes(name, MAX_IMPORT_BYTES, reporter);
      return bytes === null ? [] : [{ name, bytes }];
    });
  } catch (error) {
    reporter.error(createSource(folder, ""), START, "unreadable", reasonOf(error));
    return [];
  }
}
