import type { Environment } from "../../yaml/source.ts";
import type { StoredContents } from "../storage/types.ts";
import { answerInThread, createThread } from "../../storage/thread.ts";
import { compileDirectory } from "./load.ts";
import type { ReadContent } from "./parse.ts";
import type { DirectoryTexts } from "./read-directory.ts";
import { readStoredRows } from "./rows.ts";

/** The files of a directory at one moment. */
export interface ContentToCompile {
  readonly files: DirectoryTexts;
  readonly stored: StoredContents | null;
  readonly environment: Environment;
}

/** Validates and compiles content in a thread: megabytes of YAML would block for seconds. */
export function compileInThread(content: ContentToCompile): Promise<ReadContent> {
  return thread.call(content);
}

const does = "compiles content";

const thread = createThread<ContentToCompile, ReadContent>({
  module: new URL(import.meta.url),
  does,
  // A stalled machine must not disable reloading for good, hence the long limit.
  longest: 120_000,
  idleAfter: 10_000,
});

answerInThread(does, compileContent);

/** Validates and compiles the contents of a directory and a database. */
export function compileContent({ files, stored, environment }: ContentToCompile): ReadContent {
  const rows = stored === null ? [] : readStoredRows(stored);
  if (rows.length > 0) return compileDirectory(files, { rows, environment });
  const key = `${files.hash} ${JSON.stringify(environment)}`;
  if (latest?.key !== key) latest = { key, read: compileDirectory(files, { environment }) };
  return latest.read;
}

/**
 * The content that was last compiled from files alone. A second source of the same directory in
 * this process reuses it.
 */
let latest: { readonly key: string; readonly read: ReadContent } | null = null;
