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
  /** The dependencies that forms are compared with; without it they are not. */
  readonly surroundings?: FormDependencies;
  /** Holds earlier readers' findings, whose errors count as well; default: a new one. */
  readonly reporter?: Reporter;
}

/**
 * Loads a content directory: its `*.yaml` files are contents, `texts/<locale>.yaml` what the engine
 * says. Throws `content-invalid` for a directory or file that can't be read, and for every mistake
 * in one.
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

/** Validates and compiles what was read of a directory. */
export function compileDirectory(
  { contents, texts, unreadable }: DirectoryTexts,
  options: LoadContentOptions = {},
): ReadContent {
  const { rows = [], environment = process.env, surroundings, reporter } = options;
  const read = readContent({ contents, texts, rows, environment, surroundings }, reporter);
  if (!unreadable.some(({ severity }) => severity === "error")) {
    return { ...read, diagnostics: [...unreadable, ...read.diagnostics] };
  }
  // The missing thing may be in the file that could not be read.
  const others = read.diagnostics.filter(({ code }) => !followers.has(code));
  return { content: null, diagnostics: [...unreadable, ...others] };
}

const followers: ReadonlySet<DiagnosticCode> = new Set(["unknown-reference", "missing-table"]);
