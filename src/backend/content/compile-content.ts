import type { ContentToCompile } from "./content-thread.ts";
import { compileDirectory } from "./load.ts";
import type { ReadContent } from "./parse.ts";
import { storedRows } from "./rows.ts";

/** Validates and compiles what lay in a directory and in a database. */
export function compileContent({ files, stored, environment }: ContentToCompile): ReadContent {
  const rows = stored === null ? [] : storedRows(stored);
  return compileDirectory(files, { rows, environment });
}
