import { readFileSync } from "node:fs";
import type { Line } from "../../locales/types.ts";

/**
 * The shipped tables as the package's build has prepared them, so that a start need not do it
 * again: decision 54. A file counts only while its bytes are those that the build has read; from
 * source there is nothing of this.
 */
export interface PreparedTables {
  /** By the SHA-256 (hex) of a file's bytes. */
  readonly files: Readonly<Record<string, PreparedFile>>;
  /** The chains of these files, by {@link nameChains}. */
  readonly chains: Readonly<Record<string, PreparedChains>>;
}

/** A file of which there was nothing to report. It has no texts for single channels. */
export interface PreparedFile {
  readonly locale: string;
  /** As {@link import("../compile/lines.ts").CompiledFile.digest}. */
  readonly digest: string;
  /** The lines in HTML, by key. */
  readonly lines: Readonly<Record<string, readonly Line[]>>;
}

/** For each locale the locales that speak for it. */
export type PreparedChains = readonly (readonly [string, readonly string[]])[];

/** Beside this module when it is built: `npm run build` writes it. */
const preparedTablesFile: URL = new URL("./tables.json", import.meta.url);

/** Null where there is none, as when Afterword runs from source. */
export function readPreparedTables(file: URL = preparedTablesFile): PreparedTables | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/** The same for equal questions to `createFallbackChains`. */
export function nameChains(
  locales: readonly string[],
  chains: Readonly<Record<string, readonly string[]>>,
  fallback: string,
): string {
  return JSON.stringify([locales, chains, fallback]);
}
