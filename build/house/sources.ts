import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { type ESTree, type ParseResult, parseSync } from "rolldown/utils";

export interface Source {
  /** From the root of the repository, with slashes. */
  readonly file: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly program: ESTree.Program;
  readonly comments: ParseResult["comments"];
}

/**
 * The modules of a folder, parsed.
 *
 * @param pattern under the root, such as `src/**\/*.ts`
 * @throws Error that names a file which cannot be parsed
 */
export function readSources(root: string, pattern: string): readonly Source[] {
  return globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll(sep, "/"))
    .sort()
    .map((file) => readSource(file, readFileSync(join(root, file), "utf8")));
}

/** @throws Error when the text is no TypeScript */
export function readSource(file: string, text: string): Source {
  const { program, comments, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return { file, text, lines: text.replace(/\n$/, "").split("\n"), program, comments };
}

/** The number of the line in which a place of the text lies, from 1. */
export function lineAt({ text }: Source, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
