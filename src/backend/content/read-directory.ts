import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createReporter, type Diagnostic, type Reporter } from "../../yaml/diagnostic.ts";
import { isAbsent, isYamlName, readSource, reasonOf } from "../../yaml/read-file.ts";
import { createSource, START } from "../../yaml/source.ts";
import type { ContentSources } from "./parse.ts";
import type { SourceFile } from "./types.ts";

/** The texts in a content directory at one moment. */
export interface DirectoryTexts extends Pick<ContentSources, "contents" | "texts"> {
  /** The diagnostics of files that could not be read. */
  readonly unreadable: readonly Diagnostic[];
  /** SHA-256 (hex) of names and texts. */
  readonly hash: string;
}

/** Contents of larger files have to be imported into the database: `afterword backend import`. */
export const MAX_CONTENT_FILE_BYTES = 4_194_304;

/**
 * Reads a directory's `*.yaml` files and those in its `texts`. Never throws.
 *
 * @param instead texts that replace content files, by path; null leaves the file out
 */
export function readDirectory(
  directory: string,
  instead: ReadonlyMap<string, string | null> = new Map(),
): DirectoryTexts {
  const reporter = createReporter();
  const contents = withTexts(readYamlFiles(directory, reporter), instead);
  const isThere = !reporter.diagnostics().some(({ file }) => file === directory);
  const texts = isThere ? readYamlFiles(toTextsDirectory(directory), reporter) : [];
  const unreadable = reporter.diagnostics();
  const hash = createHash("sha256")
    .update(JSON.stringify([contents, texts, unreadable]))
    .digest("hex");
  return {
    contents,
    texts: texts.map((file) => ({ ...file, locale: localeOf(file.name) })),
    unreadable,
    hash,
  };
}

/** Replaces texts of files. Keeps the order of {@link namesIn}, and drops byte order marks. */
function withTexts(
  files: readonly SourceFile[],
  instead: ReadonlyMap<string, string | null>,
): readonly SourceFile[] {
  if (instead.size === 0) return files;
  const others = files.filter(({ name }) => !instead.has(name));
  const fresh = [...instead].flatMap(([name, text]): SourceFile[] =>
    text === null ? [] : [{ name, text: text.replace(/^\ufeff/, "") }],
  );
  return [...others, ...fresh].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the directory of the engine's own lines. */
export function toTextsDirectory(directory: string): string {
  return join(directory, "texts");
}

function readYamlFiles(directory: string, reporter: Reporter): readonly SourceFile[] {
  return namesIn(directory, reporter).flatMap((name) => {
    const source = readSource(join(directory, name), MAX_CONTENT_FILE_BYTES, reporter);
    return source === null ? [] : [{ name: source.file, text: source.text }];
  });
}

/** Lists names in the same order on every file system, because contents keep the order of files. */
function namesIn(directory: string, reporter: Reporter): readonly string[] {
  try {
    const names = readdirSync(directory);
    warnOfHiddenEndings(directory, names, reporter);
    return names.filter(isYamlName).sort();
  } catch (error) {
    const [reason, hint] = isAbsent(error)
      ? ["there is no such folder", "`afterword backend init` makes one."]
      : [reasonOf(error)];
    reporter.error(createSource(directory, ""), START, "unreadable", reason, hint);
    return [];
  }
}

/** Warns of names such as `contents.yaml.txt`: some systems hide the second extension. */
function warnOfHiddenEndings(
  directory: string,
  names: readonly string[],
  reporter: Reporter,
): void {
  for (const name of names) {
    const [, yaml = ""] = /^(.+\.ya?ml)\.txt$/i.exec(name) ?? [];
    if (yaml === "") continue;
    const message = `nobody reads ${name}: its name ends in .txt, which Windows hides`;
    const source = createSource(join(directory, name), "");
    reporter.warn(source, START, "unreadable", message, `Rename it to ${yaml}.`);
  }
}

function localeOf(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? "").replace(/\.ya?ml$/i, "");
}
