import type { DiagnosticCode, Reporter } from "../../../yaml/diagnostic.ts";
import { createSource, START } from "../../../yaml/source.ts";
import type { ImportFile } from "./imported/imported.ts";
import { isZip } from "./unzip.ts";

/**
 * Reports a file that people choose although it cannot be imported, such as a workbook or a PDF, and
 * says what to do instead. Returns true if it reported one.
 */
export function reportForeign({ name, bytes }: ImportFile, reporter: Reporter): boolean {
  const found = findForeign(bytes);
  if (found === null) return false;
  const { code, kind = "" } = found;
  const { message, hint } = REPORTS[code];
  const params = { ...(kind !== "" && { kind }), ...(code === "not-contents" && { columns }) };
  reporter.error(createSource(name, ""), START, code, message(kind), hint, params);
  return true;
}

const columns = "question, answer";

const saveAsCsv =
  "Save the sheet as “CSV UTF-8” in your spreadsheet program, and import that file.";

type ForeignCode = Extract<
  DiagnosticCode,
  "file-empty" | "file-locked" | "workbook" | "not-contents"
>;

const REPORTS: Readonly<
  Record<ForeignCode, { readonly message: (kind: string) => string; readonly hint: string }>
> = {
  "file-empty": {
    message: () => "the file is empty",
    hint: "Save or export it again.",
  },
  "file-locked": {
    message: () => "the file is protected by a password",
    hint: "Remove the password in the program that it comes from, and import it again.",
  },
  workbook: { message: (kind) => `this is a workbook (${kind})`, hint: saveAsCsv },
  "not-contents": {
    message: (kind) => `no questions and answers can be read from a file of this kind (${kind})`,
    hint: `Copy them into a sheet with the columns ${columns}. ${saveAsCsv}`,
  },
};

interface Foreign {
  readonly code: ForeignCode;
  /** The common name of the format. */
  readonly kind?: string;
}

function findForeign(bytes: Uint8Array): Foreign | null {
  // The patterns look only for ASCII, so other bytes need no decoding.
  const head = readLatin(bytes.subarray(0, 1024));
  if (/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?[\s\0]*$/u.test(head)) {
    return bytes.length > 1024 ? null : { code: "file-empty" };
  }
  if (isZip(bytes)) return findInZip(bytes, head);
  if (head.startsWith(COMPOUND)) return findInCompound(bytes);
  const known = DOCUMENTS.find(([, pattern]) => pattern.test(head));
  return known === undefined ? null : { code: "not-contents", kind: known[0] };
}

function readLatin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** The signature of Office files before 2007, and of later ones with a password. */
const COMPOUND = "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1";

function findInCompound(bytes: Uint8Array): Foreign {
  const has = (name: string): boolean => Buffer.from(bytes).includes(Buffer.from(name, "utf16le"));
  if (has("EncryptedPackage")) return { code: "file-locked" };
  return has("WordDocument")
    ? { code: "not-contents", kind: "DOC" }
    : { code: "workbook", kind: "XLS" };
}

function findInZip(bytes: Uint8Array, head: string): Foreign | null {
  // The lowest bit of the first entry's flags: APPNOTE.TXT, 4.4.4.
  if (((bytes[6] ?? 0) & 1) === 1) return { code: "file-locked" };
  if (head.includes("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")) {
    return { code: "workbook", kind: "ODS" };
  }
  if (head.includes("mimetypeapplication/vnd.oasis.opendocument.text")) {
    return { code: "not-contents", kind: "ODT" };
  }
  const has = (name: string): boolean => Buffer.from(bytes).includes(name);
  if (has("xl/workbook.")) return { code: "workbook", kind: "XLSX" };
  if (has("Index/Document.iwa")) return { code: "workbook", kind: "Numbers" };
  if (has("word/document.")) return { code: "not-contents", kind: "DOCX" };
  return has("ppt/presentation.") ? { code: "not-contents", kind: "PPTX" } : null;
}

const DOCUMENTS: readonly (readonly [string, RegExp])[] = [
  ["PDF", /^%PDF-/u],
  ["PNG", /^\u0089PNG/u],
  ["JPEG", /^\u00ff\u00d8\u00ff/u],
  ["GIF", /^GIF8/u],
  ["WebP", /^RIFF....WEBP/su],
  ["HEIC", /^....ftyp(?:hei|mif1)/su],
  ["RTF", /^\{\\rtf/u],
  ["HTML", /^(?:\u00ef\u00bb\u00bf)?\s{0,99}<(?:!doctype html|html|table|meta)/iu],
];
