import { parseRecords } from "../../../config/translation/csv.ts";
import { createReporter, type Reporter } from "../../../yaml/diagnostic.ts";
import { createSource } from "../../../yaml/source.ts";
import { decodeSheet } from "./decode-sheet.ts";
import type { Imported, ImportFile } from "./imported.ts";
import { hasSheetColumn } from "./sheet-columns.ts";
import { readSheets } from "./sheet.ts";

/** What another bot or program writes. */
export type ImportFormat = (typeof IMPORT_FORMAT_NAMES)[number];

export const IMPORT_FORMAT_NAMES = ["sheet"] as const;

/** What each format is called in a sentence. */
export const IMPORT_FORMATS: Readonly<Record<ImportFormat, string>> = {
  sheet: "a sheet of questions and answers",
};

/**
 * The format of files by what is in them, or null: these are contents in Afterword's own form, or
 * nothing that can be told.
 */
export function recognizeFormat(files: readonly ImportFile[]): ImportFormat | null {
  return files.length > 0 && files.every(isSheet) ? "sheet" : null;
}

/**
 * Reads files of one format. What cannot be read at all is reported; what has no counterpart is
 * listed.
 *
 * @param language that of the command; null when it names none
 */
export function readImported(
  format: ImportFormat,
  files: readonly ImportFile[],
  language: string | null,
  reporter: Reporter,
): Imported {
  const read = READERS[format];
  return read(files, reporter, language);
}

const READERS: Readonly<
  Record<
    ImportFormat,
    (files: readonly ImportFile[], reporter: Reporter, language: string | null) => Imported
  >
> = {
  sheet: readSheets,
};

/** Enough for a header of any sheet. */
const HEAD_BYTES = 65_536;

/** Afterword's own CSV has the columns `id` and `title`. */
function isSheet({ name, bytes }: ImportFile): boolean {
  if (!/\.(?:csv|tsv|txt)$/iu.test(name)) return false;
  const { text } = decodeSheet(bytes.subarray(0, HEAD_BYTES), null);
  const [first = "", second = ""] = text.split(/\r?\n/u, 2);
  const head = /^\uFEFF?"?sep=/iu.test(first) ? `${first}\n${second}` : first;
  const [header] = parseRecords(createSource(name, head), createReporter()) ?? [];
  const names = (header?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  return !(names.includes("id") && names.includes("title")) && hasSheetColumn(names);
}
