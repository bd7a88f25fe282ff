import { toContentFiles } from "../../../../src/backend/content/import/content-files.ts";
import type { ImportFile } from "../../../../src/backend/content/import/imported/imported.ts";
import {
  readImported,
  recognizeFormat,
} from "../../../../src/backend/content/import/read-imported.ts";
import { createReporter } from "../../../../src/yaml/diagnostic.ts";

/** Files by name; what is no text is written as JSON. */
export function filesOf(texts: Readonly<Record<string, unknown>>): readonly ImportFile[] {
  return Object.entries(texts).map(([name, value]) => ({
    name,
    bytes: new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)),
  }));
}

/** What files become: contents and synonyms of each language, what is listed, what is reported. */
export function readFiles(
  texts: Readonly<Record<string, unknown>>,
  language: string | null = null,
) {
  const files = filesOf(texts);
  const format = recognizeFormat(files);
  if (format === "other") throw new Error("the format was not recognized");
  const reporter = createReporter();
  const imported = readImported(format, files, language, reporter);
  const known = { nextId: 1, nextCategory: 1, kept: new Map(), present: new Map() };
  const made = toContentFiles(imported, language, known);
  return {
    format,
    contents: Object.fromEntries(made.files.map((file) => [file.language, file.contents])),
    synonyms: made.files.flatMap((file) => file.synonyms ?? []),
    left: [...imported.left, ...made.left].map(({ file, line, part, text, code }) => {
      const place = line === null ? file : `${file}:${line}`;
      const quotation = (text ?? "") === "" ? "" : ` “${text}”`;
      return `${place}: ${part ?? "file"}${quotation}: ${code}`;
    }),
    found: reporter.diagnostics(),
  };
}
