import { extname } from "node:path";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { toCanonicalTag, findLanguageFault } from "../../config/schema/values.ts";
import { formatCount } from "../command/counted.ts";
import type { Progress } from "../command/progress.ts";
import { readCsvContents } from "./csv-contents.ts";
import type { ImportedFile } from "./imported.ts";
import { readJsonContents } from "./json-contents.ts";
import type { LanguageImport } from "./plan.ts";
import { readChunks } from "./read-chunks.ts";

export type ImportFormat = "csv" | "json";

/** The format that a file's name tells, or null. */
export function formatOf(file: string): ImportFormat | null {
  return FORMATS.get(extname(file).toLowerCase()) ?? null;
}

const FORMATS: ReadonlyMap<string, ImportFormat> = new Map([
  [".csv", "csv"],
  [".tsv", "csv"],
  [".json", "json"],
]);

/** A file to import, and how to read it. */
export interface ImportSource {
  readonly file: string;
  readonly format: ImportFormat;
}

/**
 * Reads the files, language by language, and reports mistakes. `language` is that of files which
 * name none; a file that names another one is a mistake. Null if a file names none, and no language
 * is given.
 */
export async function readImports(
  sources: readonly ImportSource[],
  language: string | null,
  reporter: Reporter,
  progress: Progress,
): Promise<readonly LanguageImport[] | { readonly without: string }> {
  const imports = new Map<string, LanguageImport>();
  for (const { file, format } of sources) {
    const read = format === "csv" ? readCsvContents : readJsonContents;
    const found = await read(file, readChunks(file, reporter), reporter, (chunk, contents) => {
      const part = chunk.of === 0 ? 100 : Math.floor((100 * chunk.done) / chunk.of);
      progress.at(`${file}: ${part} % read${contents === 0 ? "" : `, ${contents} contents`}`);
    });
    // Nothing of it could be read, which has been reported.
    if (found.rows.length === 0 && reporter.failed()) continue;
    progress.done(`${file}: ${formatCount(found.rows.length, "content")} read`);
    const tag = languageOf(found, language, reporter);
    if (tag === null) return { without: file };
    const { rows = [], parts = [] } = imports.get(tag) ?? {};
    imports.set(tag, {
      language: tag,
      rows: [...rows, ...found.rows],
      parts: found.parts === null ? parts : [...parts, found.parts],
    });
  }
  return [...imports.values()];
}

function languageOf(
  { language: named }: ImportedFile,
  given: string | null,
  reporter: Reporter,
): string | null {
  if (named === null) return given;
  const fault = findLanguageFault(named.tag);
  const tag = fault === null ? (toCanonicalTag(named.tag)?.toLowerCase() ?? null) : null;
  if (fault !== null) {
    reporter.error(named.source, named.span, "invalid-value", fault);
  } else if (given !== null && tag !== given) {
    const message = `this file is in ${tag}, and --language says ${given}`;
    reporter.error(named.source, named.span, "invalid-value", message);
  }
  return tag ?? "und";
}
