import { parseJson } from "../../../json/values.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import { isBotpress, readBotpress } from "./botpress.ts";
import { decodeText } from "./decode-text.ts";
import { isDialogflow, readDialogflow } from "./dialogflow.ts";
import type { Imported, ImportFile } from "./imported/imported.ts";
import { isRasaMarkdownName } from "./rasa-markdown.ts";
import { isRasa, readRasa } from "./rasa.ts";
import { hasSheetColumn } from "./sheet-columns.ts";
import { readSheetHead } from "./sheet-head.ts";
import { readSheets } from "./sheet.ts";
import { isWatson, readWatson } from "./watson.ts";

/** A format that another bot or program writes. */
export type ImportFormat = (typeof IMPORT_FORMAT_NAMES)[number];

export const IMPORT_FORMAT_NAMES = ["sheet", "rasa", "dialogflow", "watson", "botpress"] as const;

/** The name of each format in a sentence. */
export const IMPORT_FORMATS: Readonly<Record<ImportFormat, string>> = {
  sheet: "a sheet of questions and answers",
  rasa: "a bot of Rasa",
  dialogflow: "an agent of Dialogflow ES",
  watson: "a workspace of Watson Assistant",
  botpress: "questions and answers of Botpress",
};

/** True for names of files that may hold contents, which folders and archives are searched for. */
export function isImportName(name: string): boolean {
  return (
    (/\.(?:csv|tsv|json|ya?ml)$/iu.test(name) || isRasaMarkdownName(name)) &&
    !/(?:^|\/)(?:\.[^/]+|node_modules|__MACOSX|models)\//u.test(name)
  );
}

/**
 * Recognizes the format of files by their contents. `other`: Afterword's own format, or an unknown
 * one.
 */
export function recognizeFormat(files: readonly ImportFile[]): ImportFormat | "other" {
  const json = files.flatMap((file) => (/\.json$/iu.test(file.name) ? [valueOf(file)] : []));
  if (json.some(isWatson)) return "watson";
  if (json.some(isDialogflow)) return "dialogflow";
  if (json.some(isBotpress)) return "botpress";
  if (isRasa(files)) return "rasa";
  return files.length > 0 && files.every(isSheet) ? "sheet" : "other";
}

/**
 * Reads files of one format. Unreadable files are reported; parts without a counterpart are
 * listed.
 *
 * @param language the language of the command; null when it names none
 */
export function readImported(
  format: ImportFormat,
  files: readonly ImportFile[],
  language: string | null,
  reporter: Reporter,
): Imported {
  const imported = READERS[format](files, reporter, language);
  const left = new Map(imported.left.map((one) => [JSON.stringify(one), one]));
  return { ...imported, left: [...left.values()] };
}

type ImportReader = (
  files: readonly ImportFile[],
  reporter: Reporter,
  language: string | null,
) => Imported;

const READERS: Readonly<Record<ImportFormat, ImportReader>> = {
  sheet: readSheets,
  rasa: readRasa,
  dialogflow: readDialogflow,
  watson: readWatson,
  botpress: readBotpress,
};

function valueOf({ bytes }: ImportFile): unknown {
  return parseJson(decodeText(bytes, null).text);
}

/** Enough for a header of any sheet. */
const HEAD_BYTES = 65_536;

/** True for a sheet of questions and answers. Afterword's own CSV has the columns `id` and `title`. */
export function isSheet(file: ImportFile): boolean {
  if (!/\.(?:csv|tsv|txt)$/iu.test(file.name)) return false;
  const names = namesIn(file);
  return !(names.includes("id") && names.includes("title")) && hasSheetColumn(names);
}

/** The names of the columns of a CSV file, in lower case. */
export function namesIn({ bytes }: ImportFile): readonly string[] {
  const { text } = decodeText(bytes.subarray(0, HEAD_BYTES), null);
  return readSheetHead(text).names.map((cell) => cell.trim().toLowerCase());
}
