import type { DiagnosticCode, Reporter } from "../../yaml/diagnostic.ts";
import type { Environment } from "../../yaml/source.ts";
import type { FormDependencies } from "./check-items.ts";
import { createContentError, type LanguageRows, readContent, type ReadContent } from "./parse.ts";
import { type DirectoryTexts, readDirectory } from "./read-directory.ts";
import type { Content } from "./types.ts";

export interface LoadContentOptions {
  /** `${NAME}` values in form webhooks, see `ContentSources`; default: the environment. */
  readonly environment?: Environment | null;
  /** Contents of a database, see `ContentSources`. */
  readonly rows?: readonly LanguageRows[];
  /** The configuration that forms are checked against. Absent if they are not. */
  readonly surroundings?: FormDependencies;
  /** Has earlier findings, whose errors count as well. Default: a new reporter. */
  readonly reporter?: Reporter;
}

/**
 * Loads a content directory: contents from `*.yaml`, and the engine's texts from
 * `texts/<locale>.yaml`. Throws `content-invalid`, which lists unreadable files and all mistakes.
 *
 * @example
 * const content = await loadContent("config/backend");
 */
export async function loadContent(
  directory: string,
  options: LoadContentOptions = {},
): Promise<Content> {
  const { content, diagnostics } = loadAllContent(directory, options);
  if (content !== null) return content;
  throw createContentError(diagnostics);
}

/** As {@link loadContent} without throwing; `content` is null when a diagnostic is an error. */
export function loadAllContent(directory: string, options: LoadContentOptions = {}): ReadContent {
  return compileDirectory(readDirectory(directory), options);
}

/** Validates and compiles the files of a directory. */
export function compileDirectory(
  { contents, texts, unreadable }: DirectoryTexts,
  options: LoadContentOptions = {},
): ReadContent {
  const { rows = [], environment = process.env, surroundings, reporter } = options;
  const read = readContent({ contents, texts, rows, environment, surroundings }, reporter);
  if (!unreadable.some(({ severity }) => severity === "error")) {
    return { ...read, diagnostics: [...unreadable, ...read.diagnostics] };
  }
  // A missing content or category may be in the file that could not be read.
  const others = read.diagnostics.filter(({ code }) => !followers.has(code));
  return { content: null, diagnostics: [...unreadable, ...others] };
}

const followers: ReadonlySet<DiagnosticCode> = new Set(["unknown-reference", "missing-table"]);
