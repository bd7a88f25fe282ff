import { readFileSync } from "node:fs";
import type { Line } from "../../locales/types.ts";

/**
 * The shipped tables as the package's build compiled them, so that a start need not do it again
 * (decision 54). An entry is used only if the file has the same bytes as at the build. There are
 * none when Afterword runs from source.
 */
export interface PreparedTables {
  /** By the SHA-256 (hex) of a file's bytes. */
  readonly files: Readonly<Record<string, PreparedFile>>;
  /** The chains of these files, by {@link nameChains}. */
  readonly chains: Readonly<Record<string, PreparedChains>>;
}

/** A file without mistakes. It has no texts for single channels. */
export interface PreparedFile {
  readonly locale: string;
  /** As {@link import("../compile/lines.ts").CompiledFile.digest}. */
  readonly digest: string;
  /** The lines in HTML, by key. */
  readonly lines: Readonly<Record<string, readonly Line[]>>;
}

/** The fallback locales of each locale. */
export type PreparedChains = readonly (readonly [string, readonly string[]])[];

/** The file beside the built module. `npm run build` writes it. */
const preparedTablesFile: URL = new URL("./tables.json", import.meta.url);

/** Null where there is none, as when Afterword runs from source. */
export function readPreparedTables(file: URL = preparedTablesFile): PreparedTables | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/** Names the arguments of `createFallbackChains`; the same name means the same chains. */
export function nameChains(
  locales: readonly string[],
  chains: Readonly<Record<string, readonly string[]>>,
  fallback: string,
): string {
  return JSON.stringify([locales, chains, fallback]);
}
